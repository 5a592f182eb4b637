import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi, newJob, openList } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const appearance = (page: Page, name: 'Cards' | 'List') =>
  page.getByRole('group', { name: 'View' }).getByRole('button', { name });

test('a list has its title, the way back and the four views', { tag: '@phone' }, async ({ page }) => {
  await openList(page, 'all');
  await expect(page.getByRole('heading', { level: 1, name: 'All Jobs' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Your jobs' })).toHaveAttribute('href', '/');
  const views = page.getByRole('navigation', { name: 'Job views' }).getByRole('link');
  await expect(views).toHaveText([/^Today/, /^New/, /^In progress/, /^All jobs/]);
  await expect(views.filter({ hasText: 'All jobs' })).toHaveAttribute('aria-current', 'page');
  await views.filter({ hasText: 'In progress' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'In progress' })).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
  await expectAccessible(page);
});

test('a list is drawn as cards or as compact rows, the next time too', { tag: '@desktop' }, async ({
  page,
}) => {
  await openList(page, 'in-progress');
  await expect(appearance(page, 'Cards')).toHaveAttribute('aria-pressed', 'true');
  const height = async () => (await page.getByRole('article').first().boundingBox())?.height ?? 0;
  const card = await height();
  await appearance(page, 'List').press('Enter');
  await expect.poll(height).toBeLessThan(card * 0.75);
  await page.reload();
  await expect(appearance(page, 'List')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expectAccessible(page);
});

test('a waiting job hides its contact until it is accepted, and the keyboard stays on it', {
  tag: '@phone',
}, async ({ page }) => {
  const { customer, card } = await newJob(page, 'A very long title that is cut');
  await expect(card.getByRole('heading')).toHaveText(customer.name);
  await expect(card.getByText('A very long title that is cut…')).toBeVisible();
  await expect(card).toContainText('Brunswick');
  await expect(card).not.toContainText(customer.email);
  await expect(card.getByRole('link', { name: 'Call' })).toHaveCount(0);
  await card.getByRole('button', { name: 'Accept' }).press('Enter');
  await expect(page.getByText('Job has been accepted!')).toBeVisible();
  await expect(card).toContainText(customer.email);
  await expect(card).toContainText('To quote');
  await expect(card.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+61491570156');
  const directions = card.getByRole('link', { name: 'Directions' });
  await expect(directions).toHaveAttribute('href', /destination=14\+Blyth\+St/);
  // It was the last that waited.
  await expect(page.getByRole('heading', { name: 'Waiting on you' })).toBeFocused();
});

test('an answer that fails changes nothing; a rejected job offers Accept again', { tag: '@phone' }, async ({
  page,
}) => {
  const { card } = await newJob(page, 'Heater');
  const failure = { status: 'error', message: 'No' };
  await page.route('**/api/jobs/*/accept', (route) => route.fulfill({ status: 500, json: failure }));
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('An error occurred, please try again later.')).toBeVisible();
  await expect(card.getByText('Pending')).toBeVisible();
  await card.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Job has been rejected.')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Unavailable' })).toBeDisabled();
  await expect(card.getByRole('button', { name: 'Accept' })).toBeVisible();
});

test('the New list is grouped by what there is to do, and an answer leads the keyboard to the next job', {
  tag: '@phone',
}, async ({ page }) => {
  const card = (id: string, rest: object) => ({
    ...{
      id,
      type: 'Consumer',
      status: 'Pending',
      title: `Job ${id}`,
      isUrgent: false,
      name: `Customer ${id}`,
    },
    ...{ scheduledAt: null, createdAt: '2026-01-01T00:00:00Z', noLongerNeededAt: null, heldFor: null },
    ...{ revision: 0, location: { address: '1 A St', placeId: null, lat: null, lng: null } },
    ...rest,
  });
  const jobs = [
    card('quote', { status: 'To quote', phone: '+61491570156' }),
    card('old', {}),
    card('no', { status: 'Rejected' }),
    card('urgent', { isUrgent: true, createdAt: '2026-01-02T00:00:00Z' }),
  ];
  await page.route('**/api/jobs?*', (route) => route.fulfill({ json: { status: 'ok', jobs, more: false } }));
  await page.route('**/api/jobs/*/accept', (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-2) ?? '';
    return route.fulfill({ json: { status: 'ok', job: card(id, { status: 'To quote', revision: 1 }) } });
  });
  await openList(page, 'new');
  const group = (name: string) => page.getByRole('region', { name }).getByRole('article');
  const names = (...ids: string[]) => ids.map((id) => `Customer ${id}, Job ${id}`);
  const labels = (name: string) =>
    group(name).evaluateAll((articles) => articles.map((article) => article.getAttribute('aria-label')));
  expect(await labels('Waiting on you')).toEqual(names('urgent', 'old'));
  expect(await labels('To quote')).toEqual(names('quote'));
  await expect(group('To quote').getByRole('link', { name: 'Call Customer quote' })).toBeVisible();
  await expect(group('To quote').getByRole('link', { name: 'Directions to Customer quote' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Accept, Customer no/ })).toBeHidden();
  await expectAccessible(page);

  await group('Waiting on you').first().getByRole('button', { name: 'Accept' }).press('Enter');
  await expect(page.getByRole('link', { name: 'Customer old, Job old' })).toBeFocused();
  await group('Waiting on you').first().getByRole('button', { name: 'Accept' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Waiting on you' })).toBeFocused();
  expect(await labels('To quote')).toEqual(names('quote', 'old', 'urgent'));
  await page.getByText('You can still accept it').click();
  await expect(page.getByRole('button', { name: /^Accept, Customer no/ })).toBeVisible();
});

test('a row is answered as a card is, also from another tab', { tag: '@desktop' }, async ({
  page,
  context,
}) => {
  const { customer, card } = await newJob(page, 'Two tabs');
  const other = await context.newPage();
  await other.goto(page.url());
  await appearance(other, 'List').click();
  const row = other.getByRole('article', { name: customer.title });
  await row.getByRole('button', { name: 'Accept' }).click();
  await expect(row.getByRole('link', { name: `Call ${customer.name}` })).toHaveAttribute(
    'href',
    'tel:+61491570156',
  );
  await expect(other.getByRole('heading', { name: 'Waiting on you' })).toBeFocused();
  await expect(card).toContainText(customer.email);
});

test('a search narrows the list, stays in the address, and can be cleared', { tag: '@phone' }, async ({
  page,
}) => {
  await openList(page, 'all');
  const all = await page.getByRole('article').count();
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('no such job at all');
  await expect(page.getByRole('heading', { name: 'No jobs found' })).toBeVisible();
  await expect(page).toHaveURL(/search=no\+such\+job\+at\+all/);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page).not.toHaveURL(/search=/);
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThanOrEqual(all);
});

test('a list that cannot be loaded shows an error and can be tried again', { tag: '@desktop' }, async ({
  page,
}) => {
  await logInByApi(page, demo());
  const failure = { status: 'error', message: 'Lists take a break' };
  await page.route('**/api/live', (route) => route.abort());
  // The list also loads again by itself: it is broken until the press, so that the press mends it.
  await page.addInitScript(() =>
    addEventListener('click', () => Object.assign(window, { isPressed: true }), true),
  );
  await page.route('**/api/jobs?*', async (route) => {
    const isPressed = await page.evaluate(() => 'isPressed' in window);
    await (isPressed ? route.continue() : route.fulfill({ status: 409, json: failure }));
  });
  await page.goto('/jobs/all?view=all');
  await expect(page.getByText('Lists take a break')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

/** Answers a list with two pages of 75 jobs. */
async function twoPages(page: Page): Promise<void> {
  const job = (number: number) => ({
    ...{ id: `job-${number}`, type: 'Consumer', status: 'Pending', title: `Job ${number}`, isUrgent: false },
    ...{
      scheduledAt: null,
      createdAt: '2026-01-01T00:00:00Z',
      noLongerNeededAt: null,
      name: 'A',
      revision: 0,
    },
    location: { address: '1 A St', placeId: null, lat: null, lng: null },
  });
  await page.route('**/api/jobs?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    expect(query.get('limit')).toBe('75');
    const first = (Number(query.get('page')) - 1) * 75;
    const jobs = Array.from({ length: 75 }, (_, place) => job(first + place + 1));
    return route.fulfill({ json: { status: 'ok', jobs, more: first === 0 } });
  });
}

test('a long list grows by pages of 75 as it is scrolled', { tag: '@phone' }, async ({ page }) => {
  await twoPages(page);
  await openList(page, 'all');
  await page.getByRole('article', { name: 'A, Job 75', exact: true }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('article')).toHaveCount(150);
  await expect(page.getByRole('button', { name: 'Show more jobs' })).toHaveCount(0);
});

test('a page that failed comes by a press, and the keyboard goes on at its first job', {
  tag: '@desktop',
}, async ({ page }) => {
  await twoPages(page);
  const second = /\/api\/jobs\?(?=.*page=2)/;
  let asked = 0;
  await page.route(second, (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.fallback();
  });
  await openList(page, 'all');
  await page.getByRole('article', { name: 'A, Job 75', exact: true }).scrollIntoViewIfNeeded();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.scrollIntoViewIfNeeded();
  await expect(page.getByRole('article')).toHaveCount(75);
  expect(asked).toBe(1);
  await again.press('Enter');
  await expect(page.getByRole('article')).toHaveCount(150);
  await expect(page.getByRole('article', { name: 'A, Job 76', exact: true }).locator(':focus')).toHaveCount(
    1,
  );
});
