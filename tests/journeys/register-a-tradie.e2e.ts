import { expect, type Page } from '@playwright/test';
import {
  aTradie,
  codeField,
  codeSentTo,
  type Hands,
  handsOf,
  heading,
  nextButton,
  openWizard,
  type Tradie,
  test,
} from '#tests/support/browser/accounts.ts';
import { linkOf, messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

/** What a registration may cost on a phone: taps, and fields typed into. */
const mostMoves = 45;

/** The steps that are the same for every applicant: how to be reached, and the password. */
async function confirmAndSign(page: Page, { tap, type }: Hands, tradie: Tradie): Promise<void> {
  await expect(heading(page, 'Contact details')).toBeFocused();
  await type(page.getByLabel('Email address'), tradie.email);
  await type(page.getByLabel('Mobile number'), tradie.phone);
  await tap(page.getByRole('button', { name: 'Send code to verify' }));
  await expect(codeField(page)).toBeFocused();
  await type(codeField(page), await codeSentTo(page, tradie.e164));
  await expect(page.getByText('Your mobile number is confirmed')).toBeVisible();
  await tap(nextButton(page));
  await expect(heading(page, 'Create a password')).toBeFocused();
  await type(page.getByLabel('Password', { exact: true }), tradie.password);
  await tap(page.getByRole('checkbox', { name: /I agree to the terms/ }));
  await tap(nextButton(page));
}

/** The account is open: 'Set up your {plan}' is the last press. */
async function finish(page: Page, { tap }: Hands, plan: string): Promise<void> {
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(heading(page, `Set up your ${plan} plan`)).toBeFocused();
  await expect(nextButton(page)).toHaveCount(0);
  await tap(page.getByRole('link', { name: `Set up your ${plan} plan` }));
  await expect(page).toHaveURL('/profile/intro');
  const session = await page.evaluate(() => localStorage.getItem('ute.session') ?? '');
  expect(JSON.parse(session)).toMatchObject({ user: { onboarding: true, plan: plan.toLowerCase() } });
  expect(await page.evaluate(() => localStorage.getItem('ute.registration'))).toBeNull();
}

test.describe('a plumber in Hobart', { tag: '@phone' }, () => {
  test.use({ timezoneId: 'Australia/Hobart' });

  test('registers on a phone in few moves', async ({ page }) => {
    const hands = handsOf();
    const { tap, type } = hands;
    await openWizard(page, '?plan=starter');
    await expect(page).toHaveURL('/register/tradie/region?plan=starter');
    await expect(page.getByRole('radio', { name: /^Australia/ })).toBeChecked();
    await tap(nextButton(page));

    await expect(heading(page, "What's your trade?")).toBeFocused();
    await expect(page.getByRole('progressbar')).toHaveAccessibleName('Step 1 of 6');
    await tap(page.getByRole('checkbox', { name: /^Plumbing services/ }));
    await tap(page.getByRole('checkbox', { name: 'Blocked drains' }));
    await tap(page.getByRole('checkbox', { name: 'Hot water systems' }));
    await tap(nextButton(page));

    await type(page.getByRole('combobox', { name: 'ABN number' }), 'mount wel');
    await tap(page.getByRole('option', { name: /^Mount Wellington Plumbing/ }));
    await expect(page.getByLabel('Trading name')).toHaveValue('Mount Wellington Plumbing');
    await expect(page.getByLabel('First name')).toHaveValue('Ivy');
    await tap(nextButton(page));

    await expect(heading(page, 'What area do you cover?')).toBeFocused();
    await expect(page.getByRole('application', { name: /15 km\. Its centre is near Hobart/ })).toBeVisible();
    await tap(nextButton(page));

    await confirmAndSign(page, hands, aTradie('au'));
    await finish(page, hands, 'Starter');
    expect(hands.count()).toBeLessThanOrEqual(mostMoves);
    test.info().annotations.push({ type: 'moves', description: String(hands.count()) });
  });
});

test.describe('a cleaner in Christchurch', { tag: '@phone' }, () => {
  test.use({ timezoneId: 'Pacific/Auckland' });

  test('registers on a phone in few moves', async ({ page }) => {
    const hands = handsOf();
    const { tap, type } = hands;
    await openWizard(page, '?plan=1');
    await expect(page.getByRole('radio', { name: /^New Zealand/ })).toBeChecked();
    await tap(nextButton(page));

    await type(page.getByLabel('Find your trade'), 'cleaning');
    await tap(page.getByRole('checkbox', { name: /^Cleaning services/ }));
    await tap(page.getByRole('checkbox', { name: 'Regular house cleaning' }));
    await tap(nextButton(page));

    await type(page.getByRole('combobox', { name: 'NZBN number' }), 'kowhai');
    await tap(page.getByRole('option', { name: /^Kōwhai Cleaning Limited/ }));
    await expect(page.getByLabel('Trading name')).toHaveValue('Kōwhai Cleaning');
    await tap(nextButton(page));

    await expect(page.getByRole('application', { name: /near Christchurch/ })).toBeVisible();
    await tap(nextButton(page));

    await confirmAndSign(page, hands, aTradie('nz'));
    await finish(page, hands, 'Plus');
    expect(hands.count()).toBeLessThanOrEqual(mostMoves);
    test.info().annotations.push({ type: 'moves', description: String(hands.count()) });
  });
});

test.describe('by keyboard alone', { tag: '@desktop' }, () => {
  test.use({ timezoneId: 'Australia/Perth' });

  test('registers on a laptop, without a pointer, and confirms the email', async ({ page }) => {
    const tradie = aTradie('au');
    const { keyboard } = page;
    const tabTo = async (target: ReturnType<Page['getByRole']>) => {
      for (let press = 0; press < 40; press += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await keyboard.press('Tab');
      }
      await expect(target).toBeFocused();
    };
    await openWizard(page, '?plan=pro');
    await tabTo(page.getByRole('radio', { name: /^Australia/ }));
    await keyboard.press('Enter');

    await expect(heading(page, "What's your trade?")).toBeFocused();
    await tabTo(page.getByLabel('Find your trade'));
    await keyboard.type('electrical');
    await tabTo(page.getByRole('checkbox', { name: /^Electrical services/ }));
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await expect(page.getByText('1 of 3 trades, 1 specialty')).toBeVisible();
    await keyboard.press('Enter');

    await expect(heading(page, 'Your business')).toBeFocused();
    await tabTo(page.getByRole('combobox', { name: 'ABN number' }));
    await keyboard.type('swan riv');
    await expect(page.getByRole('option')).toHaveCount(1);
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(page.getByLabel('Trading name')).toHaveValue('Swan River Glazing');
    await tabTo(page.getByLabel('Last name'));
    await keyboard.press('Enter');

    await expect(heading(page, 'What area do you cover?')).toBeFocused();
    await tabTo(page.getByLabel('Radius'));
    await keyboard.press('ArrowRight');
    await expect(page.getByText('16 km', { exact: true })).toBeVisible();
    const map = page.getByRole('application', { name: /^Map of the area you cover: 16 km\./ });
    await tabTo(map);
    const circle = page.locator('path.m-radius');
    const before = (await circle.getAttribute('d')) ?? '';
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await expect(circle).not.toHaveAttribute('d', before);
    await tabTo(nextButton(page));
    await keyboard.press('Enter');

    await expect(heading(page, 'Contact details')).toBeFocused();
    await tabTo(page.getByLabel('Email address'));
    await keyboard.type(tradie.email);
    await tabTo(page.getByLabel('Mobile number'));
    await keyboard.type(tradie.phone);
    await tabTo(page.getByRole('button', { name: 'Send code to verify' }));
    await keyboard.press('Enter');
    await expect(codeField(page)).toBeFocused();
    await keyboard.type(await codeSentTo(page, tradie.e164));
    await expect(page.getByText('Your mobile number is confirmed')).toBeVisible();
    await tabTo(nextButton(page));
    await keyboard.press('Enter');

    await tabTo(page.getByLabel('Password', { exact: true }));
    await keyboard.type(tradie.password);
    await tabTo(page.getByRole('checkbox', { name: /I agree to the terms/ }));
    await keyboard.press('Space');
    await tabTo(nextButton(page));
    await keyboard.press('Enter');

    await expect(heading(page, 'Set up your Pro plan')).toBeFocused();
    await tabTo(page.getByRole('link', { name: 'Set up your Pro plan' }));
    await keyboard.press('Enter');
    await expect(page).toHaveURL('/profile/intro');

    await page.goto('/profile?panel=security');
    await expect(page.getByText('at most 10 emails a day go to your customers')).toBeVisible();
    await expectAccessible(page);
    await tabTo(page.getByRole('button', { name: 'Send the link again' }));
    await keyboard.press('Enter');
    await expect(page.getByText(`We sent a link to ${tradie.email}`)).toBeVisible();
    const link = linkOf(await messageTo(page, tradie.email, 'confirm your email address'));
    await page.request.get(link);
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Is this your email address?' })).toBeVisible();
    await expectAccessible(page);
    await tabTo(page.getByRole('button', { name: 'Confirm my email' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('status')).toContainText('Your email address is confirmed');
    await expectAccessible(page);
    await page.goto('/profile?panel=security');
    await expect(page.getByText(tradie.email).first()).toBeVisible();
    await expect(page.getByText('Confirm your email address')).toBeHidden();
  });
});
