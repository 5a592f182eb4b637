import { expect, type Page } from '@playwright/test';
import { themeColours } from '#core/values/theme-colours.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, fillRequest, publicForm, sendRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const send = (page: Page) => page.getByRole('button', { name: 'Send to Acme Plumbing' });
const notice = (page: Page) => page.getByRole('alert');
const reference = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sent to Acme Plumbing' });

test('shows the business, its questions, and the way to the notices', { tag: '@phone' }, async ({ page }) => {
  await page.goto(publicForm());
  await expect(page).toHaveTitle('Acme Plumbing: request a job');
  await expect(page.getByRole('heading', { level: 1, name: 'What needs fixing?' })).toBeVisible();
  await expect(page.getByRole('group', { name: /Home type/ }).getByRole('radio')).toHaveCount(4);
  await expect(page.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
  await expect(page.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/terms');
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /\w/);
  await expect(page.locator('script[src*="react"], astro-island')).toHaveCount(0);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', publicForm());
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /^Acme Plumbing/);
  const business = page.locator('[itemtype="https://schema.org/HomeAndConstructionBusiness"]');
  await expect(business.locator('[itemprop="name"]')).toHaveText('Acme Plumbing');
  await expectAccessible(page);
});

test('a sent request is confirmed with a reference, and leaves no draft behind', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto(publicForm());
  await fillRequest(page, aCustomer('Leaking shower'));
  await page.getByLabel('Tell us more').fill('It drips all night.\nThe tap is off.');
  await page.getByText('House', { exact: true }).click();
  await page.getByLabel('It’s urgent').check();
  await page.getByRole('group', { name: 'Best way to reach you' }).getByText('SMS').click();
  await sendRequest(page);
  await expect(page).toHaveURL(/\/t\/acme-plumbing\/sent\?ref=[0-9A-Z]{6}$/);
  await expect(page.getByText(/^Thanks, Aroha\. Your reference is [0-9A-Z]{6}\.$/)).toBeVisible();
  const sent = page.getByRole('region', { name: 'What you sent' });
  await expect(sent).toContainText('Leaking shower');
  await expect(sent).toContainText('14 Blyth St, Brunswick VIC 3056');
  await expect(sent.getByText('It drips all night.')).toHaveCSS('white-space', 'pre-line');
  await expect(page.getByText('Water still running?')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Send another request' }).click();
  await expect(page.getByLabel('In a few words')).toHaveValue('');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden();
  await expect(send(page)).toBeHidden();
});

test('each field shows what is wrong with it, and the first takes the focus', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto(publicForm());
  await page.getByLabel('In a few words').fill('Tap');
  await page.getByLabel('Email address').fill('not an address');
  await send(page).click();
  await expect(page.getByLabel('Job address')).toBeFocused();
  await expect(page.getByLabel('Job address')).toHaveAccessibleDescription('Job address is required');
  await expect(page.getByLabel('Email address')).toHaveAccessibleDescription('Enter a valid email address');
  await expect(page.getByLabel('In a few words')).not.toHaveAttribute('aria-invalid');
  await expectAccessible(page);
  await page.getByLabel('Email address').fill('aroha@example.com');
  await expect(page.getByLabel('Email address')).not.toHaveAttribute('aria-invalid');
  await expect(page).toHaveURL(publicForm());
});

test('an answer that gets lost and a server that is unavailable cost a few tries under one key', {
  tag: '@phone',
}, async ({ page }) => {
  await page.clock.install();
  await page.goto(publicForm());
  const customer = aCustomer('During an outage');
  await fillRequest(page, customer);
  const keys: (string | undefined)[] = [];
  const outage = {
    status: 503,
    headers: { 'retry-after': '5' },
    json: { status: 'error', message: 'unavailable' },
  };
  await page.route('**/api/public-forms/*/jobs', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length === 1) return route.fulfill(outage);
    if (keys.length > 2) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await send(page).click();
  await expect(notice(page)).toContainText('Not sent yet');
  await expect(notice(page)).toContainText('leave this page open');
  await expect(page.getByLabel('In a few words')).toHaveValue(customer.title);
  await expect(async () => {
    await page.clock.fastForward(30_000);
    await expect(reference(page)).toBeVisible({ timeout: 250 });
  }).toPass();
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('the server’s refusal stands beside its field', { tag: '@phone' }, async ({ page }) => {
  await page.goto(publicForm());
  await fillRequest(page, aCustomer('Refused'));
  const refusal = {
    status: 'error',
    message: 'Please check what you entered',
    fields: { phone: 'Not this one' },
  };
  await page.route('**/api/public-forms/*/jobs', (route) => route.fulfill({ status: 422, json: refusal }));
  await send(page).click();
  await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription('Not this one');
  await expect(page.getByLabel('Phone number')).toBeFocused();
  await expect(notice(page)).toContainText('Please check what you entered');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a refused form comes back with what was typed and what is wrong', { tag: '@phone' }, async ({
    page,
  }) => {
    await page.goto(publicForm());
    const customer = { ...aCustomer('No script'), phone: '12345678' };
    await fillRequest(page, customer);
    await send(page).click();
    await expect(page.getByLabel('In a few words')).toHaveValue(customer.title);
    await expect(page.getByLabel('Phone number')).toHaveAttribute('aria-invalid', 'true');
    await expect(notice(page)).toContainText('Not sent yet');
    await expect(notice(page)).toBeFocused();
    await expect(notice(page)).toBeInViewport({ ratio: 1 });
    await notice(page).getByRole('link', { name: 'Phone number' }).click();
    await expect(page.getByLabel('Phone number')).toBeFocused();
    await expect(page.locator('#phone-error')).toBeInViewport({ ratio: 1 });
    await page.getByLabel('Phone number').fill('0491 570 156');
    await sendRequest(page);
  });

  test('the way back from a long form that was not taken leads to all that was typed', {
    tag: '@phone',
  }, async ({ page }) => {
    await page.goto(publicForm());
    const customer = aCustomer('Too long a name');
    await fillRequest(page, customer);
    await page.getByLabel('Tell us more').fill('It drips.\nMostly at night.');
    await page.getByText('Tomorrow', { exact: true }).click();
    const name = `${'n'.repeat(300)}.jpg`;
    await page.getByLabel('Add photos').setInputFiles({
      ...{ name, mimeType: 'image/jpeg', buffer: Buffer.alloc(100_000, 1) },
    });
    await send(page).click();
    await expect(page.getByRole('heading', { name: 'Not sent yet' })).toBeVisible();
    await page.goBack();
    for (const [label, value] of [
      ['In a few words', customer.title],
      ['Tell us more', 'It drips.\nMostly at night.'],
      ['Full name', customer.name],
      ['Phone number', customer.phone],
      ['Email address', customer.email],
    ] as const)
      await expect(page.getByLabel(label)).toHaveValue(value);
    await expect(page.getByLabel('Job address').and(page.locator('input'))).toHaveValue(customer.address);
    await expect(page.getByRole('radio', { name: 'Tomorrow' })).toBeChecked();
  });
});

test('an unknown business is not found, and nothing is "sent" without a reference', {
  tag: '@desktop',
}, async ({ page }) => {
  const answer = await page.goto('/t/nobody-at-all');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await page.goto('/t/acme-plumbing/sent');
  await expect(page).toHaveURL(/\/t\/acme-plumbing$/);
});

test('has no accessibility fault in any of the eight business colours', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto(publicForm());
  await send(page).click();
  await expect(page.getByLabel('In a few words')).toHaveAttribute('aria-invalid', 'true');
  for (const colour of themeColours) {
    await page.evaluate(
      (biz) => document.querySelector('[data-biz]')?.setAttribute('data-biz', biz),
      colour.slice(1),
    );
    await test.step(colour, () => expectAccessible(page));
  }
});
