import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { themeColours } from '#core/values/theme-colour.ts';
import { aCustomer, fillRequest, publicForm, requestJob, sendRequest } from '#tests/support/browser.ts';

const send = (page: Page) => page.getByRole('button', { name: 'Send to Acme Plumbing' });
const jobsPosted = (page: Page) => page.waitForResponse((answer) => answer.url().endsWith('/jobs'));

test('shows the business, its questions, and the way to the notices', async ({ page }) => {
  await page.goto(publicForm());
  await expect(page).toHaveTitle('Acme Plumbing: request a job');
  await expect(page.getByRole('heading', { level: 1, name: 'Acme Plumbing' })).toBeVisible();
  await expect(page.getByRole('group', { name: /Home type/ }).getByRole('radio')).toHaveCount(4);
  await expect(page.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
  await expect(page.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/terms');
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /\w/);
  await expect(page.locator('script[src*="react"], astro-island')).toHaveCount(0);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', publicForm());
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /^Acme Plumbing/);
  const business = page.locator('[itemtype="https://schema.org/HomeAndConstructionBusiness"]');
  await expect(business.locator('[itemprop="name"]')).toHaveText('Acme Plumbing');
});

test('a sent request says so with a reference, and leaves no draft behind', async ({ page }) => {
  await page.goto(publicForm());
  await fillRequest(page, aCustomer('Leaking shower'));
  await page.getByText('House', { exact: true }).click();
  await page.getByLabel('It’s urgent').check();
  await sendRequest(page);
  await expect(page).toHaveURL(/\/t\/acme-plumbing\/sent\?ref=[0-9A-Z]{6}$/);
  await expect(page.getByText('Acme Plumbing has your request')).toBeVisible();
  await page.getByRole('link', { name: 'Send another request' }).click();
  await expect(page.getByLabel('In a few words')).toHaveValue('');
});

test('each field says what is wrong with it, and the first takes the focus', async ({ page }) => {
  await page.goto(publicForm());
  await page.getByLabel('In a few words').fill('Tap');
  await page.getByLabel('Email address').fill('not an address');
  await send(page).click();
  await expect(page.getByLabel('Job address')).toBeFocused();
  await expect(page.getByLabel('Job address')).toHaveAccessibleDescription('Job address is required');
  await expect(page.getByLabel('Email address')).toHaveAccessibleDescription('Enter a valid email address');
  await expect(page.getByLabel('In a few words')).not.toHaveAttribute('aria-invalid');
  await page.getByLabel('Email address').fill('aroha@example.com');
  await expect(page.getByLabel('Email address')).not.toHaveAttribute('aria-invalid');
  await expect(page).toHaveURL(publicForm());
});

test('what was typed survives a reload', async ({ page }) => {
  await page.goto(publicForm());
  await page.getByLabel('In a few words').fill('Half a story');
  await page.getByText('Townhouse').click();
  await page.reload();
  await expect(page.getByLabel('In a few words')).toHaveValue('Half a story');
  await expect(page.getByRole('radio', { name: 'Townhouse' })).toBeChecked();
});

test('without a network it says "not sent yet", and sends once the network is back', async ({
  page,
  context,
}) => {
  await page.goto(publicForm());
  await fillRequest(page, aCustomer('Offline tap'));
  await context.setOffline(true);
  await send(page).click();
  await expect(page.getByRole('alert')).toContainText('Not sent yet');
  await expect(page.getByRole('alert')).toContainText('no network');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Your reference' })).toBeVisible({ timeout: 20_000 });
});

test('an answer that gets lost is asked for again under the same key', async ({ page }) => {
  await page.goto(publicForm());
  await fillRequest(page, aCustomer('Lost answer'));
  const keys: (string | undefined)[] = [];
  await page.route('**/api/public-forms/*/jobs', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await send(page).click();
  await expect(page.getByRole('alert')).toContainText('Not sent yet');
  await expect(page.getByRole('heading', { name: 'Your reference' })).toBeVisible({ timeout: 20_000 });
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('while the server has an outage it keeps what was typed, and sends it once, later', async ({ page }) => {
  await page.clock.install();
  await page.goto(publicForm());
  const customer = aCustomer('During an outage');
  await fillRequest(page, customer);
  const keys: (string | undefined)[] = [];
  const outage = { status: 503, headers: { 'retry-after': '5' }, json: { status: 'error', message: 'away' } };
  await page.route('**/api/public-forms/*/jobs', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length < 3 ? route.fulfill(outage) : route.continue();
  });
  await send(page).click();
  for (const tries of [1, 2]) {
    await expect.poll(() => keys.length).toBe(tries);
    await expect(page.getByRole('alert')).toContainText('Not sent yet');
    await expect(page.getByRole('alert')).toContainText('leave this page open');
    await expect(page.getByLabel('In a few words')).toHaveValue(customer.title);
    await page.clock.fastForward(30_000);
  }
  await expect(page.getByRole('heading', { name: 'Your reference' })).toBeVisible();
  expect(new Set(keys).size).toBe(1);
});

test('the server’s refusal stands beside its field', async ({ page }) => {
  await page.goto(publicForm());
  await fillRequest(page, aCustomer('Refused'));
  const refusal = {
    status: 'error',
    message: 'Please check what you entered',
    fields: { phone: 'Not this one' },
  };
  await page.route('**/api/public-forms/*/jobs', (route) => route.fulfill({ status: 422, json: refusal }));
  await Promise.all([jobsPosted(page), send(page).click()]);
  await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription('Not this one');
  await expect(page.getByLabel('Phone number')).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('Please check what you entered');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the form sends itself', async ({ page }) => {
    await requestJob(page, aCustomer('No script'));
    await expect(page).toHaveURL(/\/sent\?ref=/);
  });

  test('a refused form comes back with what was typed and what is wrong', async ({ page }) => {
    await page.goto(publicForm());
    const customer = { ...aCustomer('No script'), phone: '12345678' };
    await fillRequest(page, customer);
    await send(page).click();
    await expect(page.getByLabel('In a few words')).toHaveValue(customer.title);
    await expect(page.getByLabel('Phone number')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('alert')).toContainText('Not sent yet');
  });
});

test('an unknown business is not found', async ({ page }) => {
  const answer = await page.goto('/t/nobody-at-all');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
});

test('the page that says "sent" needs a reference to say so', async ({ page }) => {
  await page.goto('/t/acme-plumbing/sent');
  await expect(page).toHaveURL(/\/t\/acme-plumbing$/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility fault in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(publicForm());
    await send(page).click();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.goto('/t/acme-plumbing/sent?ref=ABC123');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}

test('stays readable in all eight business colours', async ({ page }) => {
  await page.goto(publicForm());
  for (const colour of themeColours) {
    await page.evaluate(
      (biz) => document.querySelector('[data-biz]')?.setAttribute('data-biz', biz),
      colour.slice(1),
    );
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
    expect(violations, colour).toEqual([]);
  }
});
