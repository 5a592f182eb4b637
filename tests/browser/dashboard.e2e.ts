import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, demo, logInByApi, postRequest, signIn } from '#tests/support/browser/browser.ts';
import { changeAnswer, expectAccessible, watchShifts } from '#tests/support/browser/page.ts';

const tiles = (page: Page) => page.getByRole('navigation', { name: 'Job counts' }).getByRole('link');
const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting on your answer' });

test('shows four counts, each leading to its list, and nothing moves while it loads', async ({ page }) => {
  const shifts = await watchShifts(page);
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Your jobs' })).toBeVisible();
  await expect(tiles(page)).toHaveText([
    /^\d+Today$/,
    /^\d+New( \d+ waiting on you)?$/,
    /^\d+In progress$/,
    /^\d+All jobs$/,
  ]);
  const hrefs = await tiles(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual(['today', 'new', 'in-progress', 'all'].map((view) => `/jobs/${view}?view=${view}`));
  await expect(waiting(page).getByRole('article').first()).toBeVisible();
  // Less than a letter's width of a font that arrives late.
  expect(await shifts()).toBeLessThan(0.0005);
  await expectAccessible(page);
  await tiles(page).filter({ hasText: 'In progress' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'In progress' })).toBeVisible();
});

test('the day is the business’s own, and tiles stand in halves, thirds and quarters', {
  tag: '@desktop',
}, async ({ page }) => {
  await page.clock.setFixedTime(new Date('2026-11-20T14:00:00Z'));
  await signIn(page);
  await expect(page.getByText('Saturday, 21 Nov').first()).toBeVisible();
  const columnsAt = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    const tops = await tiles(page).evaluateAll((links) =>
      links.map((link) => link.getBoundingClientRect().top),
    );
    return tops.filter((top) => top === tops[0]).length;
  };
  expect([await columnsAt(390), await columnsAt(700), await columnsAt(1280)]).toEqual([2, 3, 4]);
});

test('counts that cannot be loaded are a toast, and those of the last page show meanwhile', {
  tag: '@phone',
}, async ({ page }) => {
  await signIn(page);
  await expect(tiles(page).first()).toHaveText(/\d/);
  const failure = { status: 'error', message: 'Counting takes a break' };
  await page.route('**/api/jobs/count', (route) => route.fulfill({ status: 409, json: failure }));
  await page.reload();
  await expect(page.getByText('Counting takes a break')).toBeVisible();
  await expect(tiles(page).first()).toHaveText(/\d/);
});

test('work whose time went by stays in sight until it is finished', { tag: '@phone' }, async ({ page }) => {
  await page.route('**/api/jobs/schedule?ahead*', (route) =>
    changeAnswer<{ jobs: object[] }>(route, (answer) => {
      const old = { ...answer.jobs[0], id: 'old', title: 'Left half done', status: 'Quoted' };
      const jobs = [{ ...old, scheduledAt: '2026-01-05T01:00:00Z' }];
      return { ...answer, overdue: { count: 31, jobs } };
    }),
  );
  await signIn(page);
  const overdue = page.getByRole('group').filter({ hasText: 'not finished yet' });
  await expect(overdue).toContainText(/\d+ jobs\s*not finished yet\s*since Mon 05 Jan/);
  await expect(overdue.getByText('Left half done')).toBeHidden();
  await overdue.locator('summary').press('Enter');
  await expect(overdue.getByRole('link', { name: 'Left half done' })).toBeVisible();
  await expect(overdue.getByText('And 30 jobs more on the schedule.')).toBeVisible();
  await expectAccessible(page);
});

test('a job is rejected on the spot, and can still be accepted', { tag: '@phone' }, async ({ page }) => {
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
  // In sight, and not for screen readers alone.
  expect((await card.getByText(customer.email).boundingBox())?.width).toBeGreaterThan(100);
});

test('a search of 3 characters goes to the list of all jobs, 500 ms after the last of them', {
  tag: '@desktop',
}, async ({ page }) => {
  await logInByApi(page, demo());
  await page.clock.install();
  await page.goto('/');
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

test('what could not be loaded shows that in its place, and each part is tried again by itself', {
  tag: '@phone',
}, async ({ page }) => {
  await logInByApi(page, demo());
  // A live connection that comes back loads the parts by itself.
  await page.route(/\/api\/live\b/, (route) => route.abort());
  // In the order of the document.
  const failing = [/\/api\/jobs\/count\b/, /\/api\/jobs\?/, /\/api\/jobs\/schedule/];
  for (const path of failing)
    await page.route(path, (route) =>
      route.fulfill({ status: 409, json: { status: 'error', message: 'No' } }),
    );
  await page.goto('/');
  const failures = page.getByRole('alert');
  await expect(failures).toHaveText([
    'The counts could not be loaded.Try again',
    'These jobs could not be loaded.Try again',
    'These jobs could not be loaded.Try again',
  ]);
  await expect(page.locator('.tiles .sk')).toHaveCount(0);
  await expectAccessible(page);
  for (const [place, path] of failing.entries()) {
    await page.unroute(path);
    await failures.first().getByRole('button', { name: 'Try again' }).click();
    await expect(failures).toHaveCount(failing.length - place - 1);
  }
  await expect(tiles(page).first()).toHaveText(/^\d+Today$/);
  await expect(waiting(page).getByRole('article').first()).toBeVisible();
});
