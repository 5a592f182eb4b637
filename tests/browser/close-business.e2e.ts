import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi, messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const noAnswer = /An error has occurred|No connection|could not reach/i;
const part = (page: Page) => page.getByRole('region', { name: 'Close this business' });
const banner = (page: Page) => page.getByRole('region', { name: 'Closing' });

test('a tradie closes the business with the password, and takes that back by one press', {
  tag: '@phone',
}, async ({ page, account }) => {
  const form = `/t/${account.slug}`;
  await logInByApi(page, account);
  await page.goto('/profile?panel=security');
  await part(page).getByRole('button', { name: 'Close…' }).click();
  const password = part(page).getByLabel('Current Password');
  await expect(password).toBeFocused();
  await expect(part(page)).toContainText('these are removed for good');
  await expect(part(page)).toContainText('Your public page is offline from now on');
  await expectAccessible(page);

  const download = part(page).getByRole('button', { name: 'Download everything first' });
  await expect(download).toBeDisabled();
  await password.fill('not my password');
  await page.keyboard.press('Enter');
  await expect(part(page)).toContainText('This is not your current password');

  await password.fill(account.password);
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  expect(file.suggestedFilename()).toMatch(/^ute-.*\.zip$/);
  await expect(part(page).getByRole('button', { name: 'Close in 30 days' })).toBeEnabled();
  await part(page).getByRole('button', { name: 'Close in 30 days' }).click();
  await expect(part(page)).toContainText('Your business closes on');
  await expectAccessible(page);
  await messageTo(page, account.email, 'Your Ute business closes on');
  expect((await page.request.get(form)).status()).toBe(404);

  for (const path of ['/profile', '/']) {
    await page.goto(path);
    await expect(banner(page)).toContainText('Your public page is offline');
    await expectAccessible(page);
  }
  const keep = banner(page).getByRole('button', { name: 'Keep it open' });
  await page.route('**/api/settings/closing', (route) => route.abort(), { times: 1 });
  await keep.click();
  await expect(page.getByText(noAnswer)).toBeVisible();
  await keep.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your business stays open')).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  expect((await page.request.get(form)).status()).toBe(200);
});
