import { expect, type Page } from '@playwright/test';
import { formatPhone } from '#core/values/phone.ts';
import { sessionKey } from '#site/lib/session/session-storage.ts';
import { publicSwitchLabel } from '#site/ui/form/public-switch.ts';
import {
  aTradie,
  backButton,
  codeField,
  codeSentTo,
  heading,
  nextButton,
  openWizardAt,
  test,
} from '#tests/support/browser/accounts.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const toast = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

test.describe('contact details', { tag: '@phone' }, () => {
  test('an email and a mobile of another account are shown as taken, and a wrong code as wrong', async ({
    page,
  }) => {
    await openWizardAt(page, 'mobile', aTradie('au'));
    const email = page.getByLabel('Email address');
    await email.fill(process.env.UTE_DEMO_EMAIL ?? '');
    await expect(toast(page, "This email's already signed up.")).toContainText(
      'Try logging in or use a different one',
    );
    const tradie = aTradie('au');
    await page.getByLabel('Mobile number').fill(tradie.phone.slice(0, 5));
    await expect(email).toHaveAccessibleDescription(/already signed up/);
    await email.fill(tradie.email);
    await expect(page.getByText('This email is free')).toBeVisible();
    await expect(email).not.toHaveAttribute('aria-invalid', 'true');

    const send = page.getByRole('button', { name: 'Send code to verify' });
    await page.getByLabel('Mobile number').fill('021 123 4567');
    await expect(send).toHaveCount(0);
    await page.getByLabel('Mobile number').fill(tradie.phone);
    await page.route('**/api/registration/phone/update', (route) =>
      route.fulfill({ status: 409, json: { status: 'error', code: 'taken', message: 'used' } }),
    );
    await send.click();
    await expect(toast(page, 'This mobile number is already in use')).toContainText('contact support');
    await page.unroute('**/api/registration/phone/update');
    await send.click();
    await expect(codeField(page)).toBeFocused();
    await codeField(page).fill('000000');
    await expect(toast(page, 'Wrong code')).toContainText('Double-check and try again, or get a new one');
    await expect(codeField(page)).toHaveAccessibleDescription(/Wrong code/);
    await expect(page.getByRole('button', { name: 'Resend Code' })).toBeVisible();
    await expect(nextButton(page)).toBeDisabled();
    await page.reload();
    await expect(codeField(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Resend Code' })).toBeDisabled();
    await expect(send).toHaveCount(0);
    await expectAccessible(page);

    await page.getByLabel('Mobile number').press('End');
    await page.getByLabel('Mobile number').press('Backspace');
    await expect(codeField(page)).toHaveCount(0);
    await expect(send).toHaveCount(0);
  });

  test('a confirmed mobile whose last digit is typed anew is still confirmed', async ({ page }) => {
    const tradie = aTradie('au');
    await openWizardAt(page, 'mobile', tradie);
    await page.getByLabel('Email address').fill(tradie.email);
    const mobile = page.getByLabel('Mobile number');
    await mobile.fill(tradie.phone);
    await page.getByRole('button', { name: 'Send code to verify' }).click();
    await codeField(page).fill(await codeSentTo(page, tradie.e164));
    const confirmed = page.getByText('Your mobile number is confirmed');
    await expect(confirmed).toBeVisible();
    await mobile.press('End');
    await mobile.press('Backspace');
    await expect(confirmed).toHaveCount(0);
    await expect(nextButton(page)).toBeDisabled();
    await mobile.press(tradie.phone.at(-1) ?? '');
    await expect(confirmed).toBeVisible();
    await nextButton(page).click();
    await expect(heading(page, 'Create a password')).toBeVisible();
  });
});

test('the switch that shows the mobile on the public page stays as it was turned, and counts once registered', {
  tag: '@phone',
}, async ({ page, context }) => {
  const tradie = aTradie('au');
  await openWizardAt(page, 'password', tradie);
  await backButton(page).click();
  const shown = page.getByRole('switch', { name: publicSwitchLabel });
  await expect(heading(page, 'Contact details')).toBeFocused();
  await expect(shown).not.toBeChecked();
  await expectAccessible(page);
  await context.setOffline(true);
  await shown.check();
  await nextButton(page).click();
  await expect(page.getByRole('alert')).toContainText('What you entered is kept');
  await expect(shown).toBeChecked();
  await context.setOffline(false);
  await page.reload();
  await expect(shown).toBeChecked();
  await nextButton(page).click();
  await expect(heading(page, 'Create a password')).toBeFocused();
  await page.goBack();
  await expect(shown).toBeChecked();
  await page.goForward();
  await page.getByLabel('Password', { exact: true }).fill(tradie.password);
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await nextButton(page).click();
  await expect(heading(page, 'Set up your Starter plan')).toBeFocused();
  const { user } = await page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? ''), sessionKey);
  await page.goto(`/t/${user.slug}`);
  await expect(page.getByRole('link', { name: formatPhone(tradie.e164, 'au') }).first()).toHaveAttribute(
    'href',
    `tel:${tradie.e164}`,
  );
});
