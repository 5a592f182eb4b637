import { expect } from '@playwright/test';
import { planLine } from '#core/values/plan-lines.ts';
import {
  aTradie,
  backButton,
  heading,
  nextButton,
  openWizardAt,
  test,
} from '#tests/support/browser/accounts.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

test.describe('the way in', { tag: '@phone' }, () => {
  test('the login leads here by Sign Up, and the plan stays in the address', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Sign Up' }).click();
    await expect(page).toHaveURL('/register/tradie/region');
    await expect(heading(page, 'Where are you based?')).toBeVisible();
    await expect(page.getByRole('radio', { name: /^Australia/ })).toBeChecked();
    await expect(page.getByRole('radio', { name: /^New Zealand/ })).not.toBeChecked();
    await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
    await expect(backButton(page)).toHaveCount(0);
    await expectAccessible(page);
  });

  test('nothing of the wizard shows before the bot check, which shows when it fails and tries again', async ({
    page,
  }) => {
    await page.clock.install();
    let isUnavailable = true;
    await page.route('**/api/bot-check/challenge?*', (route) =>
      isUnavailable ? route.abort() : route.continue(),
    );
    await page.goto('/register/tradie');
    await expect(page.getByRole('alert')).toContainText('Error occurred while loading captcha');
    await expect(nextButton(page)).toHaveCount(0);
    isUnavailable = false;
    await page.clock.fastForward(8_000);
    await expect(heading(page, 'Where are you based?')).toBeVisible();
  });

  test('a page without https does the work by itself', async ({ page }) => {
    const { port } = new URL(process.env.UTE_URL ?? '');
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
    await page.goto(`http://localhost:${port}/register`);
    await expect(heading(page, 'Where are you based?')).toBeVisible({ timeout: 40_000 });
  });

  test('all modules that the page starts with are named in its head', async ({ page }) => {
    const html = await (await page.request.get('/register/tradie')).text();
    const named = Array.from(html.matchAll(/rel="modulepreload" href="([^"]+)"/g), ([, path = '']) => path);
    for (const path of named) expect((await page.request.get(path)).status(), path).toBe(200);
    const started = Array.from(
      html.matchAll(/(?:type="module" src|-url)="([^"]+\.js)"/g),
      ([, path]) => path,
    );
    expect(started.length).toBeGreaterThan(2);
    expect(named).toEqual(expect.arrayContaining(started));
    expect(named.length).toBeGreaterThan(new Set(started).size);
  });

  test('an unknown stage is not found', async ({ page }) => {
    expect((await page.goto('/register/tradie/payment'))?.status()).toBe(404);
  });
});

test.describe('Turnstile', { tag: '@phone' }, () => {
  // A server that names Turnstile adds it to the policy of its pages; this one does not.
  test.use({ bypassCSP: true });

  test('is drawn where the server names it, and its token is what the server gets', async ({ page }) => {
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.turnstile = {
          render: (place, options) => (options.callback(options.sitekey + '/' + options.action), 'one'),
          remove: () => {},
        };`,
      }),
    );
    const challenge = { provider: 'turnstile', siteKey: 'a-site', action: 'registration' };
    await page.route('**/api/bot-check/challenge?*', (route) =>
      route.fulfill({ json: { status: 'ok', challenge } }),
    );
    const verified = page.waitForRequest('**/api/bot-check/verify');
    await page.goto('/register');
    expect((await verified).postDataJSON()).toEqual({
      ...{ scope: 'registration', payload: 'a-site/registration' },
    });
  });
});

test.describe('the draft', { tag: '@desktop' }, () => {
  test('goes on where it was: after a reload, in another tab, and by Back and Forward', async ({ page }) => {
    await openWizardAt(page, 'coverage', aTradie('au'));
    await expect(page).toHaveURL('/register/tradie/coverage');
    await expect(page.getByRole('progressbar')).toHaveAccessibleName('Step 3 of 6');
    await backButton(page).click();
    await expect(page).toHaveURL('/register/tradie/bn');
    await expect(page.getByLabel('Trading name')).toHaveValue('Mount Wellington Plumbing');
    await page.getByLabel('Trading name').fill('Wellington Plumbing');
    await page.reload();
    await expect(page.getByLabel('Trading name')).toHaveValue('Wellington Plumbing');
    await nextButton(page).click();
    await expect(heading(page, 'What area do you cover?')).toBeFocused();

    const other = await page.context().newPage();
    await other.goto('/register');
    await expect(heading(other, 'What area do you cover?')).toBeVisible();
    await expect(other).toHaveURL('/register/tradie/coverage');
    await other.close();

    await page.goBack();
    await expect(heading(page, 'Your business')).toBeFocused();
    await expect(page.getByLabel('Trading name')).toHaveValue('Wellington Plumbing');
    await page.goForward();
    await expect(heading(page, 'What area do you cover?')).toBeFocused();
    await page.goto('/register/tradie/password');
    await expect(heading(page, 'Contact details')).toBeVisible();
    await expect(page).toHaveURL('/register/tradie/mobile');
  });

  test('a failing network between steps loses nothing, and Next works again after it', async ({
    page,
    context,
  }) => {
    await openWizardAt(page, 'bn', aTradie('au'));
    await page.getByRole('combobox', { name: 'ABN number' }).fill('banksia');
    await page.getByRole('option', { name: /^Banksia Plumbing/ }).click();
    await page.getByLabel('First name').fill('Mia-Rose');
    await context.setOffline(true);
    await nextButton(page).click();
    await expect(page.getByRole('alert')).toContainText('Something went wrong');
    await expect(page.getByRole('alert')).toContainText('What you entered is kept');
    await expect(page).toHaveURL('/register/tradie/bn');
    await expect(page.getByLabel('First name')).toHaveValue('Mia-Rose');
    await context.setOffline(false);
    await nextButton(page).click();
    await expect(heading(page, 'What area do you cover?')).toBeFocused();
    await expect(page.getByText('What you entered is kept')).toHaveCount(0);
  });

  test('a draft that does not load shows an error and can be tried again', async ({ page }) => {
    await openWizardAt(page, 'trades', aTradie('au'));
    await page.route('**/api/registration/tradies', (route) =>
      route.fulfill({ status: 422, json: { status: 'error', message: 'no' } }),
    );
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('An error occurred, please try again later');
    await page.unroute('**/api/registration/tradies');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page, "What's your trade?")).toBeVisible();
  });

  test('changing the country starts the business and the area anew', async ({ page }) => {
    await openWizardAt(page, 'coverage', aTradie('au'));
    await page.goto('/register/tradie/region');
    await page.getByRole('radio', { name: /^New Zealand/ }).check();
    await nextButton(page).click();
    await nextButton(page).click();
    await expect(page.getByRole('combobox', { name: 'NZBN number' })).toHaveValue('');
    await expect(nextButton(page)).toBeDisabled();
    await expect(nextButton(page)).toHaveAccessibleDescription('Still needed: your business');
  });
});

test('the last page says what the plan is, and has no accessibility fault', { tag: '@phone' }, async ({
  page,
}) => {
  await openWizardAt(page, 'done', aTradie('au'));
  await expect(page.getByText(planLine('starter'), { exact: true })).toBeVisible();
  await expectAccessible(page);
});
