import { expect, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { linkOf, logIn, logInByApi, messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const newPassword = 'Brand#New Spanner 77';

const panel = (page: Page) => page.getByRole('dialog', { name: 'Security settings' });
const part = (page: Page, name: string) => panel(page).getByRole('region', { name });

async function openSecurity(page: Page, account: Account): Promise<void> {
  await logInByApi(page, account);
  await page.goto('/profile?panel=security');
  await expect(part(page, 'Email')).toContainText(account.email);
}

test('the panel has an address: Back and Close lead to the profile, and the focus to its entry', {
  tag: '@desktop',
}, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/profile');
  const entry = page.getByRole('link', { name: 'Security' });
  await entry.click();
  await expect(panel(page)).toBeVisible();
  await expect(page).toHaveURL('/profile?panel=security');
  await page.goBack();
  await expect(panel(page)).toBeHidden();
  await expect(page).toHaveURL('/profile');
  await expect(entry).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/profile');
  await expect(entry).toBeFocused();
  await page.goto('/profile?panel=nonsense');
  await expect(entry).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a panel whose code does not arrive shows that, and loads again', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.route('**/SecuritySettings*.js', (route) => route.abort());
  await page.goto('/profile?panel=security');
  await expect(panel(page).getByRole('alert')).toContainText('This could not be loaded');
  await page.unroute('**/SecuritySettings*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(part(page, 'Email')).toContainText(account.email);
});

test('the password changes with the present one, and every other device is signed out', {
  tag: '@phone',
}, async ({ page, browser, account }) => {
  const other = await (await browser.newContext()).newPage();
  await logInByApi(other, account);
  await openSecurity(page, account);
  await part(page, 'Password').getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('form', { name: 'Change password' });
  await expect(form.getByLabel('Current Password')).toBeFocused();
  await form.getByLabel('Current Password').fill('not this one');
  await form.getByLabel('New Password').fill(newPassword);
  await form.getByLabel('Confirm Password').fill('something else');
  const save = form.getByRole('button', { name: 'Save new password' });
  await expect(save).toBeDisabled();
  await form.getByLabel('Confirm Password').fill(newPassword);
  await save.click();
  await expect(form.getByLabel('Current Password')).toHaveAccessibleDescription(
    'This is not your current password',
  );
  await expect(form.getByLabel('Current Password')).toBeFocused();
  await expect(part(page, 'Where you are signed in').getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  await form.getByLabel('Current Password').fill(account.password);
  await save.click();
  await expect(page.getByText('Your password was changed')).toBeVisible();
  await expect(form).toHaveCount(0);

  await other.goto('/jobs/all');
  await expect(other.getByRole('alert')).toHaveText('Session timed out');
  await logIn(other, { ...account, password: newPassword });
  await expect(other).toHaveURL('/jobs/all');
  await other.context().close();
});

test('every session is listed and can be signed out on its own', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  const { email, password } = account;
  const login = await page.request.post('/api/authenticate/login', { data: { email, password } });
  const { token } = (await login.json()) as { token: string };
  const otherDevice = () =>
    page.request.get('/api/authenticate', { headers: { authorization: `Bearer ${token}` } });
  expect((await otherDevice()).status()).toBe(200);
  await openSecurity(page, account);
  const sessions = part(page, 'Where you are signed in').getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: 'This device' })).toHaveCount(1);
  await sessions.filter({ hasNotText: 'This device' }).getByRole('button', { name: 'Sign out' }).click();
  await expect(sessions).toHaveCount(1);
  expect((await otherDevice()).status()).toBe(403);

  await sessions.getByRole('link', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
});

test('a new email counts once its link is confirmed by a press', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const email = `new.${account.email}`;
  await openSecurity(page, account);
  await part(page, 'Email').getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New email address').fill(email);
  await page.getByLabel('Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(part(page, 'Email')).toContainText(`Open the link we sent to ${email}`);
  await page.goto(linkOf(await messageTo(page, email, '/confirm-email?t=')));
  await expect(page).toHaveURL('/confirm-email');
  await expect(page.getByRole('button', { name: 'Confirm email' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page.getByRole('heading', { name: 'Your email was changed' })).toBeFocused();
  await page.goto('/profile?panel=security');
  await expect(part(page, 'Email')).toContainText(email);
});

test('a new mobile number counts once its code is given', { tag: '@phone' }, async ({ page, account }) => {
  await openSecurity(page, account);
  await part(page, 'Mobile number').getByRole('button', { name: 'Change number' }).click();
  const phone = `04${account.phone.slice(4, 11)}${(Number(account.phone.at(-1)) + 1) % 10}`;
  await page.getByLabel('New mobile number').fill(phone);
  await page.getByLabel('Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Send the code' }).click();
  const code = part(page, 'Mobile number').getByLabel('Code');
  const sms = await messageTo(page, `+61${phone.slice(1)}`, 'code');
  const right = /\b\d{6}\b/.exec(sms.text)?.[0] ?? '';
  await code.fill(right === '000000' ? '111111' : '000000');
  await page.getByRole('button', { name: 'Confirm number' }).click();
  await expect(code).toHaveAccessibleDescription(/^Wrong code/);
  await expect(code).toBeFocused();
  await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
  await expect(code).toHaveValue(right);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your mobile number was changed')).toBeVisible();
  await expect(code).toHaveCount(0);
  await expect(part(page, 'Mobile number').getByRole('button', { name: 'Change number' })).toBeFocused();
});

test('another code for a new mobile number is sent once its time has come', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await page.clock.install();
  await openSecurity(page, account);
  await part(page, 'Mobile number').getByRole('button', { name: 'Change number' }).click();
  const phone = `04${account.phone.slice(4, 11)}${(Number(account.phone.at(-1)) + 1) % 10}`;
  await page.getByLabel('New mobile number').fill(phone);
  await page.getByLabel('Current Password').fill(account.password);
  await page.getByRole('button', { name: 'Send the code' }).click();
  const resend = part(page, 'Mobile number').getByRole('button', { name: 'Resend Code' });
  await expect(resend).toBeDisabled();
  await expect(resend).toHaveAccessibleDescription(/^You can ask for another code in \d+ s$/);
  await expectAccessible(page);
  const code = part(page, 'Mobile number').getByLabel('Code', { exact: true });
  await page.clock.fastForward(61_000);
  await expect(resend).toBeEnabled();
  const words = 'We have just sent a code to this number. Please wait a while before you ask for another';
  await page.route('**/api/authenticate/phone/code', (route) =>
    route.fulfill({ status: 429, json: { status: 'error', message: words } }),
  );
  await resend.click();
  await expect(code).toHaveAccessibleDescription(new RegExp(`^${words}`));
  await expect(code).toBeFocused();
  await page.unroute('**/api/authenticate/phone/code');
  await code.fill('123');
  const answered = page.waitForResponse('**/api/authenticate/phone/code');
  await resend.click();
  expect((await answered).status()).toBe(200);
  await expect(resend).toBeDisabled();
  await expect(code).toHaveValue('');
  await expect(code).toBeFocused();
});

test('email and phone are shown to customers or not, saved as they are turned', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await openSecurity(page, account);
  const shown = part(page, 'Mobile number').getByRole('switch', { name: 'Show on my public page' });
  await expect(shown).toBeVisible();
  await expectAccessible(page);
  const before = await shown.isChecked();
  await shown.click();
  await expect(part(page, 'Mobile number')).toContainText('Saved');
  await expect(async () => {
    const seen = await (await page.request.get(`/t/${account.slug}`)).text();
    expect(seen.includes(account.phone)).toBe(!before);
  }).toPass({ timeout: 10_000 });
  await page.reload();
  await expect(shown).toBeChecked({ checked: !before });
  await page.route('**/api/settings/contact', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await shown.click();
  await expect(part(page, 'Mobile number')).toContainText('Not saved');
  await expect(shown).toBeChecked({ checked: !before });
});

test('a session that ends while an email is typed brings it back after signing in', {
  tag: '@phone',
}, async ({ page, account }) => {
  await openSecurity(page, account);
  await part(page, 'Email').getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New email address').fill('half.typed@acme.example');
  await page.getByLabel('Current Password').fill('Secret#Spanner 88');
  await page.route('**/api/authenticate/email', (route) =>
    route.fulfill({ status: 403, json: { status: 'error', message: 'Session timed out' } }),
  );
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('alert')).toHaveText('Session timed out');
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(stored).not.toContain('Secret#Spanner 88');
  await page.unroute('**/api/authenticate/email');
  await logIn(page, account);
  await expect(page).toHaveURL('/profile?panel=security');
  await expect(page.getByLabel('New email address')).toHaveValue('half.typed@acme.example');
  await expect(page.getByLabel('Current Password')).toHaveValue('');
});

test('a business chooses for how many years customers’ details are stored', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await openSecurity(page, account);
  const stored = part(page, 'Customers’ details');
  await expect(stored).toContainText('Stored for 7 years after the last change of a job');
  await stored.getByRole('button', { name: 'Change years' }).press('Enter');
  await expect(stored.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expectAccessible(page);
  await stored.getByRole('radio', { name: '10 years' }).check();
  await page.route('**/api/settings/retention', (route) => route.abort(), { times: 1 });
  await stored.getByRole('button', { name: 'Save' }).click();
  await expect(stored.getByRole('alert')).toBeVisible();
  await stored.getByRole('button', { name: 'Save' }).click();
  await expect(stored).toContainText('Stored for 10 years after the last change of a job');
  await page.reload();
  await expect(stored).toContainText('Stored for 10 years');
});
