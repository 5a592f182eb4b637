import { expect, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { linkOf, logIn, logInByApi, messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const newPassword = 'Brand#New Spanner 77';
const dead = 'This link has expired or was already used. Please ask for a new one.';
const rules = [
  'Your password needs to be at least 12 characters long.',
  'Add an uppercase letter',
  'Add an lowercase letter',
  'Add a number',
  'Add a special character',
];

const toast = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save new password' });
const metRules = (page: Page) => page.locator('.pw-rules .is-met');

async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('heading', { name: 'Password Reset Sent' })).toBeFocused();
}

async function typePasswords(page: Page, first: string, second = first): Promise<void> {
  await page.getByLabel('New Password').fill(first);
  await page.getByLabel('Confirm Password').fill(second);
}

async function openLink(page: Page, account: Account): Promise<string> {
  await page.request.post('/api/authenticate/forgot-password', { data: { email: account.email } });
  const link = linkOf(await messageTo(page, account.email, '/reset-password?t='));
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  return link;
}

test('a forgotten password is replaced by mail, and every session of before is over', {
  tag: '@desktop',
}, async ({ page, browser, account }) => {
  await logInByApi(page, account);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto('/login');
  await visitor.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(visitor.getByRole('button', { name: 'Reset Password' })).toBeDisabled();
  await askForLink(visitor, account.email);
  await expect(
    visitor.getByText(
      "We've sent you an email with instructions to reset your password. Please check your inbox.",
    ),
  ).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/login');

  const link = linkOf(await messageTo(page, account.email, '/reset-password?t='));
  const late = await visitor.context().newPage();
  await late.goto(link);
  await typePasswords(late, newPassword);
  await visitor.goto(link);
  await expect(visitor).toHaveURL('/reset-password');
  await typePasswords(visitor, newPassword);
  await saveButton(visitor).click();
  await expect(visitor).toHaveURL('/login');
  await expect(toast(visitor)).toContainText('Password has been reset successfully');

  await page.goto('/jobs/all');
  await expect(page.getByRole('alert')).toHaveText('Session timed out');
  await logIn(visitor, { ...account, password: newPassword });
  await visitor.waitForURL('/');

  await saveButton(late).click();
  await expect(toast(late)).toContainText('Error resetting password');
  await expect(late.getByRole('link', { name: 'Get a new one' })).toBeVisible();
  await visitor.goto(link);
  await expect(visitor.getByRole('alert')).toHaveText(dead);
  await expect(visitor.getByLabel('New Password')).toBeHidden();
  await expect(saveButton(visitor)).toBeHidden();
  await expectAccessible(visitor);
  await visitor.getByRole('link', { name: 'Get a new one' }).click();
  await expect(visitor.getByRole('heading', { name: 'Forgot password?' })).toBeVisible();
  await visitor.context().close();
});

test('the five rules are ticked off as they are met, and both fields must agree', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await openLink(page, account);
  await expect(page.locator('.pw-rules li')).toHaveText(rules.map((rule) => new RegExp(rule)));
  await expect(metRules(page)).toHaveCount(0);
  await page.getByLabel('New Password').fill('short1');
  await expect(metRules(page)).toHaveText([/Add an lowercase letter/, /Add a number/]);
  await page.getByLabel('New Password').fill(newPassword);
  await expect(metRules(page)).toHaveCount(5);
  await page.getByLabel('Confirm Password').fill('Brand#Old');
  await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match');
  await saveButton(page).click();
  await expect(toast(page)).toContainText('Password Error');
  await expect(toast(page)).toContainText('Passwords do not match');
  await expectAccessible(page);
  await page.getByLabel('Confirm Password').fill(newPassword);
  await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('');
});

test('a common password is refused beside its field, and neither a reload nor a lost line costs the link', {
  tag: '@desktop',
}, async ({ page, account }) => {
  await openLink(page, account);
  await page.reload();
  await expect(page).toHaveURL('/reset-password');
  await typePasswords(page, 'Password123!');
  await saveButton(page).click();
  await expect(page.getByLabel('New Password')).toHaveAccessibleDescription(/too common/);
  await expect(toast(page)).toContainText('Error resetting password');
  await page.route('**/api/authenticate/reset-password', (route) => route.abort());
  await typePasswords(page, newPassword);
  await saveButton(page).click();
  await expect(toast(page)).toContainText('An error has occurred, please try again later');
  await expect(page.getByLabel('New Password')).toHaveValue(newPassword);
  await expect(page.getByRole('link', { name: 'Get a new one' })).toBeHidden();
  await page.unroute('**/api/authenticate/reset-password');
  await saveButton(page).click();
  await expect(page).toHaveURL('/login');
});

test('the keyboard alone does it, and each password can be shown', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await openLink(page, account);
  for (const label of ['New Password', 'Confirm Password'])
    await expect(page.getByLabel(label)).toHaveAttribute('autocomplete', 'new-password');
  await page.getByLabel('New Password').focus();
  await page.keyboard.type(newPassword);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('New Password')).toHaveAttribute('type', 'text');
  await page.keyboard.press('Tab');
  await page.keyboard.type(newPassword);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/login');
});

test('without its secret the page leads to the login, and with an empty one it shows what is missing', {
  tag: '@desktop',
}, async ({ page }) => {
  await page.goto('/reset-password');
  await expect(page).toHaveURL('/login');
  await page.goto('/reset-password?t=');
  await typePasswords(page, newPassword);
  await saveButton(page).click();
  await expect(toast(page)).toContainText('Missing reset data');
});

test('a failed request for a link is shown, and can be asked for again', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto('/forgot-password');
  await expect(page.getByRole('link', { name: 'Log In' })).toBeVisible();
  await expectAccessible(page);
  await page.route('**/api/authenticate/forgot-password', (route) => route.abort());
  await page.getByLabel('Email address').fill('dave@acme.example');
  const button = page.getByRole('button', { name: 'Reset Password' });
  await button.click();
  await expect(toast(page)).toContainText('Error requesting password reset');
  await expect(button).toBeEnabled();
  await page.unroute('**/api/authenticate/forgot-password');
  await button.click();
  await expect(page.getByRole('heading', { name: 'Password Reset Sent' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Log In' })).toBeHidden();
});
