import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser-accounts.ts';
import { messageTo } from '#tests/support/browser-outbox.ts';

const subject = 'Set a new password for Ute';

async function askForLink(page: Page, email: string): Promise<void> {
  const answer = await page.request.post('/api/authenticate/forgot-password', { data: { email } });
  expect(answer.ok()).toBe(true);
}

async function looksRight(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Nothing runs in the frame of a mail, the checker neither: mails are judged on their own.
    expect((await new AxeBuilder({ page }).exclude('iframe').analyze()).violations).toEqual([]);
  }
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWide).toBe(false);
}

test('a new message shows up by itself, can be read, and its links open', async ({ page, account }) => {
  await page.goto('/dev/outbox');
  await expect(page.getByRole('heading', { name: 'Outbox', level: 1 })).toBeVisible();
  await askForLink(page, account.email);
  const entry = page.getByRole('link', { name: `${subject} Mail to ${account.email}` });
  await expect(entry).toBeVisible();
  await looksRight(page);
  await entry.click();
  await expect(page.getByRole('heading', { name: subject, level: 1 })).toBeVisible();
  await looksRight(page);

  const mail = page.frameLocator('iframe[title="The mail as HTML"]');
  const opened = page.waitForEvent('popup');
  await mail.getByRole('link', { name: 'Choose a new password' }).click();
  const popup = await opened;
  await expect(popup.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
});

test('a mail looks right on its own, in both themes', async ({ page, account }) => {
  await askForLink(page, account.email);
  const { id } = await messageTo(page, account.email, '/reset-password?t=');
  const html = await (await page.request.get(`/dev/outbox/${id}/html`)).text();
  await page.setContent(html);
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await looksRight(page);
});
