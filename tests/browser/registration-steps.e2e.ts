import { expect, type Page } from '@playwright/test';
import { aTradie, heading, nextButton, openWizardAt, test } from '#tests/support/browser/accounts.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const toast = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

test.describe('trades', { tag: '@phone' }, () => {
  test('at most three, each with what is done in it', async ({ page }) => {
    await openWizardAt(page, 'trades', aTradie('au'));
    await expect(nextButton(page)).toBeDisabled();
    for (const trade of ['Plumbing services', 'Gas fitting', 'Drainage services']) {
      await page.getByRole('checkbox', { name: trade }).check();
    }
    await expect(nextButton(page)).toBeDisabled();
    await page.getByRole('checkbox', { name: 'Septic and wastewater systems' }).check();
    await expect(nextButton(page)).toBeEnabled();
    await expect(nextButton(page)).toHaveAccessibleDescription('3 of 3 trades, 1 specialty');
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Electrical services' }).click();
    await expect(toast(page, 'You can select up to 3 trades.')).toContainText(
      'Please remove one to add another',
    );
    await expect(page.getByRole('checkbox', { name: 'Electrical services' })).not.toBeChecked();
    await page.getByRole('checkbox', { name: 'Drainage services' }).uncheck();
    await expect(toast(page, 'You can select up to 3 trades.')).toBeHidden({ timeout: 2_000 });
    await expect(nextButton(page)).toBeDisabled();
    await page.getByRole('checkbox', { name: 'Drainage services' }).check();
    await page.getByRole('checkbox', { name: 'Septic and wastewater systems' }).check();
    await page.getByRole('checkbox', { name: 'Electrical services' }).click();
    await expect(toast(page, 'You can select up to 3 trades.')).toBeVisible();
    await nextButton(page).click();
    await expect(heading(page, 'Your business')).toBeVisible();
    await expect(toast(page, 'You can select up to 3 trades.')).toBeHidden({ timeout: 2_000 });
  });

  test('a list that does not load shows an error', async ({ page }) => {
    await page.route('**/api/registration/trades', (route) =>
      route.fulfill({ status: 422, json: { status: 'error', message: 'no' } }),
    );
    await openWizardAt(page, 'trades', aTradie('au'));
    await expect(toast(page, 'Something went wrong loading the trades')).toContainText(
      'Please refresh the page or try again later',
    );
    await page.unroute('**/api/registration/trades');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('checkbox', { name: 'Plumbing services' })).toBeVisible();
  });
});

test.describe('business number', { tag: '@phone' }, () => {
  test('the search waits for three characters, shows what it does, and finds by number too', async ({
    page,
  }) => {
    await openWizardAt(page, 'bn', aTradie('au'));
    const box = page.getByRole('combobox', { name: 'ABN number' });
    await box.click();
    const list = page.locator('.listbox');
    await expect(list).toContainText('Enter ABN number or name');
    await box.pressSequentially('ba');
    await expect(list).toContainText('Enter ABN number or name');
    await expect(page.getByRole('option')).toHaveCount(0);
    const seen = Promise.withResolvers<void>();
    await page.route('**/api/registration/bn?*', async (route) => {
      await seen.promise;
      await route.continue();
    });
    await box.pressSequentially('nksia');
    await expect(list).toContainText('Please wait...');
    seen.resolve();
    await expect(page.getByRole('option')).toHaveCount(1);
    const bn = /\d\d( \d{3}){3}/.exec((await page.getByRole('option').textContent()) ?? '')?.[0] ?? '';
    await box.fill(bn);
    await page.getByRole('option', { name: /^Banksia Plumbing/ }).click();
    await expect(page.getByText(`ABN ${bn} · Active`)).toBeVisible();
    await expect(nextButton(page)).toBeEnabled();
    await expectAccessible(page);
    await page.getByLabel('Trading name').fill('a'.repeat(101));
    await expect(page.getByLabel('Trading name')).toHaveValue('a'.repeat(100));
    await page.getByLabel('Last name').fill(' ');
    await expect(nextButton(page)).toBeDisabled();
    await expect(nextButton(page)).toHaveAccessibleDescription('Still needed: your last name');
    await box.press('End');
    await box.press('Backspace');
    await expect(page.getByLabel('Trading name')).toHaveCount(0);
  });

  test('a name that the register does not have leads on', async ({ page }) => {
    await openWizardAt(page, 'bn', aTradie('au'));
    const box = page.getByRole('combobox', { name: 'ABN number' });
    await box.fill('zzz no such business');
    await expect(page.locator('.listbox')).toContainText('No business found');
    await box.blur();
    const wayOn = page.locator('p', { hasText: 'Try fewer words, or the 11 digits of your ABN.' });
    await expect(wayOn.getByRole('link', { name: 'abr.gov.au' })).toBeVisible();
    await expect(wayOn.getByRole('link', { name: 'book a demo' })).toHaveAttribute('href', '/book-demo');
    await expectAccessible(page);
  });

  test('what was struck off, and what cannot be looked up, is shown', async ({ page }) => {
    await openWizardAt(page, 'bn', aTradie('au'));
    const box = page.getByRole('combobox', { name: 'ABN number' });
    await box.fill('ironbark');
    await expect(page.getByRole('option')).toContainText('Cancelled');
    await page.getByRole('option').click();
    await expect(box).toHaveAccessibleDescription('This business is no longer registered (Cancelled)');
    await expect(nextButton(page)).toBeDisabled();
    await page.route('**/api/registration/bn', (route) => route.abort());
    await box.fill('banksia');
    await page.getByRole('option').click();
    await expect(toast(page, "We couldn't find address for this company")).toContainText('Error');
  });
});

test.describe('coverage', { tag: '@desktop' }, () => {
  test('the map is drawn from this site alone; a press moves the centre, and the circle follows the slider', async ({
    page,
  }) => {
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(process.env.UTE_URL ?? '')) elsewhere.push(request.url());
    });
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) blocked.push(message.text());
    });
    await openWizardAt(page, 'coverage', aTradie('au'));
    const map = page.getByRole('application', { name: /15 km\. Its centre is near Hobart/ });
    await expect(map).toBeVisible();
    await expect(page.getByRole('link', { name: 'GeoNames' })).toBeVisible();
    const circle = page.locator('path.m-radius');
    const shape = await circle.getAttribute('d');
    await map.click({ position: { x: 80, y: 60 } });
    await expect(circle).not.toHaveAttribute('d', shape ?? '');
    await page.getByLabel('Radius').fill('100');
    await expect(page.getByText('100 km', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('application', { name: /100 km/ })).toBeVisible();
    await page.getByLabel('Radius').fill('0');
    await expect(page.getByRole('application', { name: /: 0 km/ })).toBeVisible();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await nextButton(page).click();
    await expect(heading(page, 'Contact details')).toBeFocused();
    expect([elsewhere, blocked]).toEqual([[], []]);
  });

  test('after a quick move of the slider the whole circle is on the map', async ({ page }) => {
    await openWizardAt(page, 'coverage', aTradie('au'));
    await expect(page.getByRole('application', { name: /15 km/ })).toBeVisible();
    await page.getByLabel('Radius').press('Home');
    await page.getByLabel('Radius').press('End');
    const frame = page.getByRole('application', { name: /100 km/ });
    await expect(frame).toBeVisible();
    const overhang = async () => {
      const [outer, inner] = await Promise.all([
        frame.boundingBox(),
        page.locator('path.m-radius').boundingBox(),
      ]);
      return outer && inner ? inner.width - outer.width : Number.NaN;
    };
    await expect.poll(overhang).toBeLessThan(0);
  });

  test('a postcode sets the area without the map, which need not load', async ({ page }) => {
    await page.route('**/_astro/CoverageMap*', (route) => route.abort());
    await openWizardAt(page, 'coverage', aTradie('au'));
    await expect(page.getByRole('alert')).toContainText('The map did not load');
    const postcode = page.getByLabel('Or start from a postcode');
    await expect(postcode).toHaveValue('7000');
    await postcode.fill('3056');
    await expect(page.getByText(/^The area is around \w+/)).toBeVisible();
    await postcode.fill('1');
    await postcode.fill('9999');
    await expect(postcode).toHaveAccessibleDescription(/We know no postcode 9999/);
    await page.unroute('**/_astro/CoverageMap*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('application')).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe('password', { tag: '@phone' }, () => {
  test('its rules are ticked off as it is typed, and the terms open beside the wizard', async ({
    page,
    context,
  }) => {
    await openWizardAt(page, 'password', aTradie('au'));
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('short');
    await expect(page.locator('.pw-rules li:not(.is-met)')).toHaveText([
      'Your password needs to be at least 12 characters long.',
      'Add an uppercase letter',
      'Add a number',
      'Add a special character',
    ]);
    await password.fill('Longer-than-12-letters');
    await expect(page.locator('.pw-rules li:not(.is-met)')).toHaveCount(0);
    await expect(nextButton(page)).toBeDisabled();
    await expect(nextButton(page)).toHaveAccessibleDescription('Still needed: your yes to the terms');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'terms' }).click();
    const terms = await opened;
    await expect(terms).toHaveURL('/terms');
    await terms.close();
    await expect(password).toHaveValue('Longer-than-12-letters');
    await expect(page.getByRole('checkbox', { name: /newsletter/ })).not.toBeChecked();
    await page.getByRole('checkbox', { name: /I agree/ }).check();
    await expect(nextButton(page)).toBeEnabled();
    await expectAccessible(page);
    const stored = await page.evaluate(
      () => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }),
    );
    expect(stored).not.toContain('Longer-than-12-letters');
  });
});
