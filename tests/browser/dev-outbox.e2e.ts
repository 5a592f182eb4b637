import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const subject = 'Set a new password for Ute';

async function askForLink(page: Page, email: string): Promise<void> {
  const answer = await page.request.post('/api/authenticate/forgot-password', { data: { email } });
  expect(answer.ok()).toBe(true);
}

async function expectToFit(page: Page): Promise<void> {
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
}

test('a new message shows up by itself, can be read, and its links open', { tag: '@desktop' }, async ({
  page,
  context,
  account,
}) => {
  const entryOn = (list: Page) => list.getByRole('link', { name: `${subject} Mail to ${account.email}` });
  await page.goto('/dev/outbox');
  await expect(page.getByRole('heading', { name: 'Outbox', level: 1 })).toBeVisible();
  await askForLink(page, account.email);
  await expect(entryOn(page)).toBeVisible();
  await page.close();

  // Messages of other tests come all the time, and each would load the list anew under its reader.
  const reader = await context.newPage();
  await reader.route('**/dev/outbox/newest.json', (route) => route.abort());
  await reader.goto('/dev/outbox');
  await expect(entryOn(reader)).toBeVisible();
  await expectToFit(reader);
  await expectAccessible(reader, { except: ['.outbox__list li:nth-child(n + 4)'] });
  await entryOn(reader).click();
  await expect(reader.getByRole('heading', { name: subject, level: 1 })).toBeVisible();
  await expectToFit(reader);
  // Nothing runs in the frame of a mail, the checker neither: mails are judged on their own.
  await expectAccessible(reader, { except: ['iframe'] });

  const mail = reader.frameLocator('iframe[title="The mail as HTML"]');
  const opened = reader.waitForEvent('popup');
  await mail.getByRole('link', { name: 'Choose a new password' }).click();
  const popup = await opened;
  await expect(popup.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
});

test('a mail looks right on its own, in both themes', { tag: '@phone' }, async ({ page, account }) => {
  await askForLink(page, account.email);
  const { id } = await messageTo(page, account.email, '/reset-password?t=');
  const html = await (await page.request.get(`/dev/outbox/${id}/html`)).text();
  await page.setContent(html);
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
});
