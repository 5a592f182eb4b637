import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { demo, newJob, openList } from '#tests/support/browser.ts';
import { logInByApi } from '#tests/support/browser-api.ts';

test('every list has its title, the way back, and the four views', async ({ page }) => {
  await openList(page, 'all');
  await expect(page.getByRole('heading', { level: 1, name: 'All Jobs' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Your jobs' })).toHaveAttribute('href', '/');
  const views = page.getByRole('navigation', { name: 'Job views' }).getByRole('link');
  await expect(views).toHaveText([/^Today/, /^New/, /^In progress/, /^All jobs/]);
  await expect(views.filter({ hasText: 'All jobs' })).toHaveAttribute('aria-current', 'page');
});

test('a waiting job hides its contact until it is accepted, and the keyboard stays on it', async ({
  page,
}) => {
  const { customer, card } = await newJob(page, 'A very long title that is cut');
  await expect(card.getByRole('heading')).toHaveText('A very long title that is cut…');
  await expect(card.getByText('Accept to see phone and email')).toBeVisible();
  await expect(card.getByRole('link', { name: 'Call' })).toHaveCount(0);
  await card.getByRole('button', { name: 'Accept' }).press('Enter');
  await expect(page.getByText('Job has been accepted!')).toBeVisible();
  await expect(card).toContainText(customer.email);
  await expect(card).toContainText('To quote');
  await expect(card.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+61491570156');
  await expect(card.getByRole('link', { name: 'Details' })).toBeFocused();
});

test('a rejected job offers Accept again, beside a button that says why not', async ({ page }) => {
  const { card } = await newJob(page, 'Heater');
  await card.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Job has been rejected.')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Unavailable' })).toBeDisabled();
  await expect(card.getByRole('button', { name: 'Accept' })).toBeVisible();
});

test('an answer that fails says so and changes nothing', async ({ page }) => {
  const { card } = await newJob(page, 'Refused');
  const failure = { status: 'error', message: 'No' };
  await page.route('**/api/jobs/*/accept', (route) => route.fulfill({ status: 500, json: failure }));
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('An error occurred, please try again later.')).toBeVisible();
  await expect(card.getByText('Pending')).toBeVisible();
});

test('a job answered elsewhere changes on the open list', async ({ page, context }) => {
  const { customer, card } = await newJob(page, 'Two tabs');
  const other = await context.newPage();
  await other.goto(page.url());
  const there = other.getByRole('article', { name: customer.title });
  await there.getByRole('button', { name: 'Accept' }).click();
  await expect(there).toContainText(customer.email);
  await expect(card).toContainText(customer.email);
});

test('a search narrows the list, is kept in the address, and can be cleared', async ({ page }) => {
  await openList(page, 'all');
  const all = await page.getByRole('article').count();
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('no such job at all');
  await expect(page.getByRole('heading', { name: 'No jobs found' })).toBeVisible();
  await expect(page).toHaveURL(/search=no\+such\+job\+at\+all/);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(page).not.toHaveURL(/search=/);
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThanOrEqual(all);
});

test('a list that cannot be loaded says so and can be tried again', async ({ page }) => {
  await logInByApi(page, demo());
  const failure = { status: 'error', message: 'Lists take a break' };
  await page.route('**/api/live', (route) => route.abort());
  let isBroken = true;
  await page.route('**/api/jobs?*', (route) =>
    isBroken ? route.fulfill({ status: 409, json: failure }) : route.continue(),
  );
  await page.goto('/jobs/all?view=all');
  await expect(page.getByText('Lists take a break')).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('a long list grows by pages of 75 as it is scrolled', async ({ page }) => {
  const job = (number: number) => ({
    ...{ id: `job-${number}`, type: 'Consumer', status: 'Pending', title: `Job ${number}`, isUrgent: false },
    ...{ scheduledAt: null, createdAt: '2026-01-01T00:00:00Z', name: 'A', revision: 0 },
    location: { address: '1 A St', placeId: null, lat: null, lng: null },
  });
  await page.route('**/api/jobs?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    expect(query.get('limit')).toBe('75');
    const first = (Number(query.get('page')) - 1) * 75;
    const jobs = Array.from({ length: first === 0 ? 75 : 5 }, (_, place) => job(first + place + 1));
    return route.fulfill({ json: { status: 'ok', jobs } });
  });
  await openList(page, 'all');
  await page.getByRole('article', { name: 'Job 75', exact: true }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('article')).toHaveCount(80);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`lists have no accessibility fault in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openList(page, 'all');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
