import { expect, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { aTypedJob, logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search jobs' });

/** Opens the dashboard of a business with some jobs, and counts the pages that are loaded from then on. */
async function openDashboard(page: Page, account: Account): Promise<{ loaded(): number }> {
  const ask = await logInByApi(page, account);
  for (const title of ['Blocked drain', 'Blocked sink', 'Leaking tap']) {
    await ask('POST', '/jobs', { ...aTypedJob(title), title });
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Your jobs' })).toBeVisible();
  let pages = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) pages += 1;
  });
  return { loaded: () => pages };
}

test('a search from the dashboard changes the address without a page load, and loses nothing that is typed', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const { loaded } = await openDashboard(page, account);
  await box(page).pressSequentially('blocked');
  await expect(page).toHaveURL(/\/jobs\/all\?view=all&search=blocked$/);
  await expect(page.getByRole('heading', { level: 1, name: 'All Jobs' })).toBeVisible();
  await expect(page).toHaveTitle(/^All Jobs/);
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(box(page)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  await page.keyboard.type(' s');
  await expect(box(page)).toHaveValue('blocked s');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article')).toContainText('Blocked sink');
  await expect(page).toHaveURL(/search=blocked\+s$/);
  await expect(box(page)).toBeFocused();
  await expectAccessible(page);
  expect(loaded()).toBe(0);

  await page.goBack();
  await expect(page.getByRole('navigation', { name: 'Job counts' })).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(box(page)).toHaveValue('');
  await page.goForward();
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear the search field' }).click();
  await expect(page.getByRole('navigation', { name: 'Job counts' })).toBeVisible();
  await expect(box(page)).toBeFocused();
  await expect(page).toHaveURL('/');
  expect(loaded()).toBe(0);
});

test('what a search from the dashboard found opens again after a reload, and Back leads to the dashboard', {
  tag: '@phone',
}, async ({ page, account }) => {
  await openDashboard(page, account);
  await box(page).fill('leaking');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.reload();
  await expect(box(page)).toHaveValue('leaking');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Your jobs' })).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('a field says how many letters are missing, is cleared by its button and by Escape, and goes along to another view', {
  tag: '@phone',
}, async ({ page, account }) => {
  await openDashboard(page, account);
  await page.goto('/jobs/new?view=new');
  await expect(page.getByRole('article')).toHaveCount(3);
  const missing = page.getByRole('search').getByText(/more letter/);
  await box(page).pressSequentially('b');
  await expect(missing).toHaveText('Two more letters');
  await page.keyboard.type('l');
  await expect(missing).toHaveText('One more letter');
  await page.keyboard.press('Escape');
  await expect(box(page)).toHaveValue('');
  await expect(missing).toHaveCount(0);
  await box(page).pressSequentially('blocked');
  await expect(page.getByRole('article')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Job views' }).getByRole('link', { name: 'All jobs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All Jobs' })).toBeVisible();
  await expect(box(page)).toHaveValue('blocked');
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear the search field' }).click();
  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(box(page)).toBeFocused();
});

test('what is typed before the script of a page runs is searched for', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await openDashboard(page, account);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/_astro/react*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/jobs/all?view=all', { waitUntil: 'commit' });
  await box(page).pressSequentially('leaking');
  release();
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(box(page)).toHaveValue('leaking');
});

test.describe('where the code of the list cannot be loaded', () => {
  test.use({ serviceWorkers: 'block' });

  test('a search from the dashboard says so, and Try again opens the list itself', {
    tag: '@phone',
  }, async ({ page, account }) => {
    await page.route(/\/_astro\/list\./, (route) => route.abort());
    await openDashboard(page, account);
    await box(page).fill('blocked s');
    await expect(page.getByRole('alert').filter({ hasText: 'The jobs could not be loaded.' })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Searching' })).toHaveCount(0);
    await page.unroute(/\/_astro\/list\./);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(box(page)).toHaveValue('blocked s');
  });
});
