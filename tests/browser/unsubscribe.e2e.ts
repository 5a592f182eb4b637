import { expect } from '@playwright/test';
import { unsubscribeToken } from '#api/announcements/unsubscribe.ts';
import { configure } from '#api/runtime/environment.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

/** With the keys of the product under test. */
function linkOf(accountId: string): string {
  const config = configure({ ...process.env, DATA_DIR: process.env.UTE_DATA_DIR });
  return `/unsubscribe/${unsubscribeToken(config, { accountId, kind: 'newsletter' })}`;
}

test('the link in a newsletter turns it off by a press, and settings that are open follow', {
  tag: '@phone',
}, async ({ page: settings, account, browser }) => {
  await logInByApi(settings, account);
  await settings.goto('/profile?panel=notifications');
  const newsletter = settings.getByRole('switch', { name: 'Newsletter' });
  await expect(newsletter).toBeChecked();

  const link = linkOf(account.accountId);
  const { baseURL, viewport } = test.info().project.use;
  const page = await browser.newPage({ baseURL: baseURL ?? '', viewport: viewport ?? null });
  await page.request.get(link);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Unsubscribe from the newsletter?' })).toBeVisible();
  await expectAccessible(page);
  await expect(newsletter).toBeChecked();
  await page.getByRole('button', { name: 'Unsubscribe' }).press('Enter');
  await expect(page.getByRole('status')).toContainText('You are unsubscribed from the newsletter');
  await expectAccessible(page);
  await expect(newsletter).not.toBeChecked();
  await page.getByRole('link', { name: 'Open Notifications' }).press('Enter');
  await expect(page).toHaveURL(/\/login\?next=%2Fprofile%3Fpanel%3Dnotifications$/);
  await page.close();
});
