import { expect, type Page } from '@playwright/test';
import type { ErrorCode } from '#api/http/error-codes.ts';
import {
  aTradie,
  codeField,
  codeSentTo,
  nextButton,
  openWizardAt,
  test,
} from '#tests/support/browser/accounts.ts';
import { aCustomer, fillRequest, logIn, logInByApi, publicForm } from '#tests/support/browser/browser.ts';

const alert = (page: Page) => page.getByRole('alert');

/** Has one call of the API refused from now on. */
async function refuse(
  page: Page,
  path: string,
  refusal: { status?: number; code?: ErrorCode; message?: string; fields?: Record<string, string> },
): Promise<void> {
  const { status = 422, code = 'invalid', message = 'Please check what you entered', fields } = refusal;
  await page.route(`**/api${path}`, (route) =>
    route.fulfill({ status, json: { status: 'error', code, message, ...(fields && { fields }) } }),
  );
}

test('login: what failed goes with the next keystroke, why one is here stays', { tag: '@phone' }, async ({
  page,
}) => {
  await refuse(page, '/authenticate/login', { status: 401, message: 'Invalid credentials' });
  await page.goto('/login?error=session-timed-out');
  const password = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Email address').fill('dave@acme.example');
  await expect(alert(page)).toHaveText('Session timed out');
  await logIn(page, { email: 'dave@acme.example', password: 'wrong' });
  await expect(alert(page)).toContainText('Invalid credentials');
  await password.press('End');
  await expect(alert(page)).toBeVisible();
  await password.pressSequentially('x');
  await expect(alert(page)).toBeHidden();
});

test('forgot password: a request that failed is shown until the email changes', { tag: '@phone' }, async ({
  page,
}) => {
  await refuse(page, '/authenticate/forgot-password', { status: 429, message: 'Too many, wait a minute' });
  // Its time stands still: a toast goes for a reason alone.
  await page.clock.install({ time: '2026-05-04T08:00:00Z' });
  await page.goto('/forgot-password');
  await page.clock.pauseAt('2026-05-04T09:00:00Z');
  await page.getByLabel('Email address').fill('dave@acme.example');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('Too many, wait a minute')).toBeVisible();
  await page.getByLabel('Email address').fill('dan@acme.example');
  await expect(page.getByText('Too many, wait a minute')).toHaveCount(0);
});

test('public form: a refusal stays while its value does, and the alert while a field is marked', {
  tag: '@phone',
}, async ({ page }) => {
  await refuse(page, '/public-forms/*/jobs', { fields: { phone: 'Not this one', email: 'Nor that' } });
  await page.goto(publicForm());
  const [phone, email] = [page.getByLabel('Phone number'), page.getByLabel('Email address')];
  await fillRequest(page, aCustomer('Refused'));
  await page.getByRole('button', { name: /^Send to/ }).click();
  await expect(phone).toHaveAccessibleDescription('Not this one');
  await phone.blur();
  await expect(phone).toHaveAccessibleDescription('Not this one');
  await phone.fill('0491 570 157');
  await expect(phone).toHaveAccessibleDescription('');
  await expect(alert(page)).toContainText('Not sent yet');
  await email.fill('half');
  await expect(email).toHaveAccessibleDescription('Enter a valid email address');
  await email.fill('aroha@example.com');
  await expect(email).toHaveAccessibleDescription('');
  await expect(alert(page)).toBeHidden();
});

test('public form: a refusal of no field goes with the next change', { tag: '@phone' }, async ({ page }) => {
  await refuse(page, '/public-forms/*/jobs', { status: 409, message: 'Not taking requests' });
  await page.goto(publicForm());
  await fillRequest(page, aCustomer('Refused'));
  await page.getByRole('button', { name: /^Send to/ }).click();
  await expect(alert(page)).toContainText('Not taking requests');
  await page.getByLabel('It’s urgent').check();
  await expect(alert(page)).toBeHidden();
});

test('book a demo: the alert goes when nothing is marked any more', { tag: '@phone' }, async ({ page }) => {
  await refuse(page, '/registration/demo', { fields: { phone: 'Not this one' } });
  await page.goto('/book-demo');
  const phone = page.getByLabel('Mobile number');
  for (const [label, text] of [
    ['Full name', 'Aroha'],
    ['Business name', 'Acme'],
    ['Mobile number', '021 555 0123'],
    ['Email address', 'aroha@example.com'],
  ] as const) {
    await page.getByLabel(label).fill(text);
  }
  await page.getByRole('button', { name: 'Book a demo' }).click();
  await expect(phone).toHaveAccessibleDescription('Not this one');
  await phone.blur();
  await expect(phone).toHaveAccessibleDescription('Not this one');
  await expect(alert(page)).toContainText('Not booked yet');
  await phone.fill('021 555 0124');
  await expect(phone).toHaveAccessibleDescription('');
  await expect(alert(page)).toBeHidden();
});

test('registration: the message about an email, a number and a save goes with each', {
  tag: '@phone',
}, async ({ page }) => {
  const tradie = aTradie('au');
  await openWizardAt(page, 'mobile', tradie);
  const [email, phone] = [page.getByLabel('Email address'), page.getByLabel('Mobile number')];
  await refuse(page, '/registration/email/verify', { status: 409, code: 'taken', message: 'taken' });
  await email.fill('taken@acme.example');
  await expect(email).toHaveAccessibleDescription(/already signed up/);
  await page.unroute('**/api/registration/email/verify');
  await email.fill(tradie.email);
  await expect(email).toHaveAccessibleDescription('');
  await expect(page.getByText('This email is free')).toBeVisible();

  await refuse(page, '/registration/phone/update', { status: 409, code: 'taken', message: 'used' });
  await phone.fill('0412 345 678');
  await page.getByRole('button', { name: 'Send code to verify' }).click();
  await expect(phone).toHaveAccessibleDescription(/already in use/);
  await page.unroute('**/api/registration/phone/update');
  await phone.fill(tradie.phone);
  await expect(phone).toHaveAccessibleDescription('');
  await page.getByRole('button', { name: 'Send code to verify' }).click();
  await codeField(page).fill('000000');
  await expect(codeField(page)).toHaveAccessibleDescription(/^Wrong code/);
  await codeField(page).fill('');
  await expect(codeField(page)).not.toHaveAttribute('aria-invalid', 'true');
  await codeField(page).fill(await codeSentTo(page, tradie.e164));
  await expect(page.getByText('Your mobile number is confirmed')).toBeVisible();

  await refuse(page, '/registration/tradies', { status: 409, message: 'Not now' });
  await nextButton(page).click();
  await expect(alert(page)).toContainText('Not now');
  await email.fill(`x${tradie.email}`);
  await expect(alert(page)).toHaveCount(0);
});

test('registration: the refusal of a business is not shown for another', { tag: '@phone' }, async ({
  page,
}) => {
  await openWizardAt(page, 'bn', aTradie('au'));
  const box = page.getByRole('combobox', { name: 'ABN number' });
  await box.fill('ironbark');
  await page.getByRole('option').click();
  await expect(box).toHaveAccessibleDescription('This business is no longer registered (Cancelled)');
  await box.fill('banksia');
  await expect(box).toHaveAccessibleDescription('');
});

test('security: a refusal goes when what was refused changes', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.goto('/profile?panel=security');
  await page.getByRole('button', { name: 'Change email' }).click();
  const form = page.getByRole('form', { name: 'Change email' });
  const email = form.getByLabel('New email address');
  await refuse(page, '/authenticate/email', { fields: { email: 'This email is already in use' } });
  await email.fill('taken@acme.example');
  await form.getByLabel('Current Password').fill(account.password);
  await form.getByRole('button', { name: 'Send the link' }).click();
  await expect(email).toHaveAccessibleDescription('This email is already in use');
  await email.fill('half');
  await expect(email).not.toHaveAccessibleDescription('This email is already in use');
  await page.unroute('**/api/authenticate/email');
  await refuse(page, '/authenticate/email', { status: 409, message: 'Not while another one waits' });
  await email.fill('other@acme.example');
  await form.getByRole('button', { name: 'Send the link' }).click();
  await expect(form.getByRole('alert')).toContainText('Not while another one waits');
  await form.getByLabel('Current Password').press('End');
  await form.getByLabel('Current Password').pressSequentially('x');
  await expect(form.getByRole('alert')).toHaveCount(0);
});

test('business details: the refusal of a number is shown at its field until another is chosen', {
  tag: '@phone',
}, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/profile?panel=business-details');
  const panel = page.getByRole('dialog', { name: 'Business details' });
  const box = panel.getByRole('combobox', { name: 'ABN number' });
  await refuse(page, '/settings/profile', { fields: { 'bn.bn': 'This business has an account already' } });
  await box.fill('banksia');
  await page
    .getByRole('option', { name: /banksia/i })
    .first()
    .click();
  await expect(panel.getByLabel('Business name')).toHaveValue(/banksia/i);
  await panel.getByRole('button', { name: 'Save changes' }).click();
  await expect(box).toHaveAccessibleDescription('This business has an account already');
  await expect(page.getByText('Error updating business details')).toBeVisible();
  await box.fill('wellington');
  await expect(box).toHaveAccessibleDescription('');
});
