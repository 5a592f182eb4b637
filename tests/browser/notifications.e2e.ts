import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const toggles = [
  'Account notifications',
  'Job enquiry form alerts',
  'Simple contact form alerts',
  'Email for new jobs',
  'SMS for new jobs',
  'Product updates',
  'Newsletter',
  'Weekly record',
];

const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const toggle = (page: Page, name: string) => panel(page).getByRole('switch', { name });

test.beforeEach(async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/profile?panel=notifications');
  await expect(toggle(page, 'Newsletter')).toBeVisible();
});

test('all toggles are on by default, those of the account for good', { tag: '@desktop' }, async ({
  page,
}) => {
  await expect(panel(page).getByRole('switch')).toHaveCount(toggles.length);
  for (const name of toggles) await expect(toggle(page, name)).toBeChecked();
  await expect(toggle(page, 'Account notifications')).toBeDisabled();
  await expect(toggle(page, 'Account notifications')).toHaveAccessibleDescription(/^Always on/);
  await expectAccessible(page);
});

test('a toggle is saved as it is turned and shows that; one that is not saved goes back', {
  tag: '@phone',
}, async ({ page }) => {
  const sms = toggle(page, 'SMS for new jobs');
  await sms.click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await toggle(page, 'Email for new jobs').click();
  await expect(page.getByText('Nothing tells you of a new job')).toBeVisible();
  await page.reload();
  await expect(sms).not.toBeChecked();
  await page.route('**/api/settings/notifications', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await sms.click();
  await expect(page.getByRole('alert')).toContainText('Not saved');
  await expect(sms).not.toBeChecked();
});

test('a test alert shows for each channel whether it went out', { tag: '@phone' }, async ({ page }) => {
  await toggle(page, 'SMS for new jobs').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send me a test alert' }).click();
  const tested = panel(page).locator('.tested');
  await expect(tested).toHaveCount(2);
  await expect(tested.filter({ hasText: 'Email' })).toHaveAttribute('data-outcome', 'sent');
  await expect(tested.filter({ hasText: 'SMS' })).toHaveAttribute('data-outcome', 'off');
});
