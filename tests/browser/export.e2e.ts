import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi, messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { unzip } from '#tests/support/scenarios/files.ts';

const part = (page: Page, name = 'Your data') => page.getByRole('region', { name });

test('a tradie downloads everything with the password, and is notified by mail', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.goto('/profile?panel=security');
  await part(page).getByRole('button', { name: 'Download everything' }).click();
  const password = part(page).getByLabel('Current Password');
  await expect(password).toBeFocused();
  await expectAccessible(page);

  await password.fill('not my password');
  await page.keyboard.press('Enter');
  await expect(part(page)).toContainText('This is not your current password');

  await password.fill(account.password);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^ute-\d{4}-\d\d-\d\d\.zip$/);
  const entries = await unzip(readFileSync(await download.path()));
  expect(JSON.parse(String(entries.get('business.json'))).account.email).toBe(account.email);
  await expect(page.getByText('Your download has begun')).toBeVisible();
  await expect(part(page).getByRole('button', { name: 'Download everything' })).toBeFocused();
  await expect(page).toHaveURL('/profile?panel=security');
  await messageTo(page, account.email, 'Your Ute data was downloaded');
});

test('a tradie downloads what is stored about the account', { tag: '@phone' }, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/profile?panel=security');
  const own = part(page, 'Your account');
  await own.getByRole('button', { name: 'Download my data' }).click();
  const password = own.getByLabel('Current Password');
  await expect(password).toBeFocused();
  await expectAccessible(page);
  await password.fill(account.password);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^ute-account-\d{4}-\d\d-\d\d\.zip$/);
  const entries = await unzip(readFileSync(await download.path()));
  expect(JSON.parse(String(entries.get('account.json'))).account.email).toBe(account.email);
  await expect(own.getByRole('button', { name: 'Download my data' })).toBeFocused();
});
