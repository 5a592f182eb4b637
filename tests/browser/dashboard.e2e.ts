import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { aCustomer, postRequest, signIn } from '#tests/support/browser.ts';

const tiles = (page: Page) => page.getByRole('navigation', { name: 'Job counts' }).getByRole('link');
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting on your answer' });

test('shows four counts, each leading to its list', async ({ page }) => {
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Your jobs' })).toBeVisible();
  await expect(tiles(page)).toHaveText([/^\d+Today$/, /^\d+New$/, /^\d+In progress$/, /^\d+All jobs$/]);
  const hrefs = await tiles(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual(['today', 'new', 'in-progress', 'all'].map((view) => `/jobs/${view}?view=${view}`));
  await tiles(page).filter({ hasText: 'In progress' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'In progress' })).toBeVisible();
});

test('names the day it is where the business is', async ({ page }) => {
  await page.clock.setFixedTime(new Date('2026-11-20T14:00:00Z'));
  await signIn(page);
  await expect(page.getByText('Saturday, 21 Nov').first()).toBeVisible();
});

test('tiles stand in halves on a phone and in quarters on a laptop', async ({ page }) => {
  await signIn(page);
  const columnsAt = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    const tops = await tiles(page).evaluateAll((links) =>
      links.map((link) => link.getBoundingClientRect().top),
    );
    return tops.filter((top) => top === tops[0]).length;
  };
  expect(await columnsAt(390)).toBe(2);
  expect(await columnsAt(700)).toBe(3);
  expect(await columnsAt(1280)).toBe(4);
});

test('counts that cannot be loaded are a toast with the server’s message', async ({ page }) => {
  const failure = { status: 'error', message: 'Counting takes a break' };
  await page.route('**/api/jobs/count', (route) => route.fulfill({ status: 409, json: failure }));
  await signIn(page);
  await expect(page.getByText('Counting takes a break')).toBeVisible();
});

test('counts of the last page show at once, before the server answers', async ({ page }) => {
  await signIn(page);
  await expect(tiles(page).first()).toHaveText(/\d/);
  await page.route('**/api/jobs/count', () => new Promise(() => {}));
  await page.reload();
  await expect(tiles(page).first()).toHaveText(/\d/);
});

test('nothing moves while the dashboard loads', async ({ page }) => {
  await signIn(page);
  await page.addInitScript(() => {
    const seen = window as unknown as { shift: number };
    seen.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expect(tiles(page).first()).toHaveText(/\d/);
  await expect(waiting(page).getByRole('article').first()).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.02);
});

test('a job is rejected on the spot, and can still be accepted', async ({ page }) => {
  await signIn(page);
  await expect(waiting(page).getByRole('article').first()).toBeVisible();
  const customer = aCustomer('Gutter');
  await postRequest(page, customer);
  const card = waiting(page).getByRole('article', { name: customer.title });
  await card.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Job has been rejected.')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Unavailable' })).toBeDisabled();
  await expect(card).not.toContainText(customer.email);
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(card).toContainText(customer.email);
});

test('a search of 3 characters goes to the list of all jobs, 500 ms after the last of them', async ({
  page,
}) => {
  await page.clock.install();
  await signIn(page);
  await expect(tiles(page).first()).toHaveText(/\d/);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const searching = page.getByRole('status', { name: 'Searching' });
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('ta');
  await expect(searching).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search jobs' }).fill('tap');
  await expect(searching).toBeVisible();
  await page.clock.runFor(499);
  await expect(page).toHaveURL(/\/$/);
  await page.clock.runFor(1);
  await expect(page).toHaveURL(/\/jobs\/all\?view=all&search=tap$/);
});

test('without a network it says from when the jobs are', async ({ page, context }) => {
  await signIn(page);
  await expect(tiles(page).first()).toHaveText(/\d/);
  await context.setOffline(true);
  await expect(page.getByText(/You’re offline. These are your jobs as of \d+:\d\d[AP]M\./)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/You’re offline/)).toHaveCount(0);
});

test('a visitor who is not signed in is led to the login', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility fault in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await signIn(page);
    await expect(waiting(page).getByRole('article').first()).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
