import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const bar = /^Urgent: Noor.*: show$/;

test('the count at Jobs is there from the first page of a tab, and the last one without a network', {
  tag: '@phone',
}, async ({ page, context, account }) => {
  for (const n of [1, 2]) await postRequest(page, aCustomer(`Waits ${n}`), `/t/${account.slug}`);
  const ask = await logInByApi(page, account);
  await expect.poll(async () => (await ask<{ waiting: number }>('GET', '/jobs/count')).waiting).toBe(2);
  await page.goto('/profile');
  const jobs = (of: Page, waiting: number) =>
    of.getByRole('link', { name: new RegExp(`^Jobs\\s+${waiting} waiting$`) });
  await expect(jobs(page, 2)).toBeVisible();
  const { jobs: listed } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await ask('PUT', `/jobs/${listed[0]?.id}/accept`);
  await expect(jobs(page, 1)).toBeVisible();
  // Another tab has nothing of this one, and the server does not answer it.
  await context.route('**/api/**', (route) => route.abort());
  const later = await context.newPage();
  await later.goto('/profile');
  await expect(jobs(later, 1)).toBeVisible();
});

test('an urgent request that arrives shows a bar on a page without jobs, until it is put away, and a count at Jobs', {
  tag: '@phone',
}, async ({ page, account }) => {
  await logInByApi(page, account);
  const live = page.waitForResponse('**/api/live?*');
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await live;
  await postRequest(
    page,
    { ...aCustomer('Burst pipe'), name: 'Noor Haddad', isUrgent: 'on' },
    `/t/${account.slug}`,
  );
  const show = page.getByRole('link', { name: bar });
  await expect(show).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: bar })).toBeVisible();
  await expect(page.getByText('Haddad')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Jobs\s+1 waiting$/ })).toBeVisible();
  await expectAccessible(page);
  // On a page that begins with it, the bar covers nothing of the head.
  await page.goto('/chatbot');
  await expect(show).toBeVisible();
  const head = page.getByRole('link', { name: 'Your jobs', exact: true });
  await expect(head).toBeInViewport();
  expect(
    await head.evaluate((link) => {
      const { x, y, width, height } = link.getBoundingClientRect();
      return link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }),
  ).toBe(true);
  await page.goto('/jobs/today?view=today');
  await expect(show).toBeVisible();
  await show.click();
  await expect(page).toHaveURL(/\/jobs\/details\//);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(show).toHaveCount(0);
  await page.goto('/profile');
  await expect(page.getByRole('link', { name: /^Jobs\s+1 waiting$/ })).toBeVisible();
  await expect(show).toHaveCount(0);
});

test('an urgent request comes in first and moves no other, and its bar goes by Dismiss', {
  tag: '@phone',
}, async ({ page, account }) => {
  for (const n of [1, 2, 3]) await postRequest(page, aCustomer(`Waits ${n}`), `/t/${account.slug}`);
  await logInByApi(page, account);
  const live = page.waitForResponse('**/api/live?*');
  await page.goto('/');
  const waiting = page.getByRole('region', { name: 'Waiting on your answer' });
  const cards = waiting.locator('[data-job]');
  await expect(cards).toHaveCount(3);
  await live;
  const oldest = cards.first();
  const id = await oldest.getAttribute('data-job');
  const topOf = () =>
    waiting.locator(`[data-job="${id}"]`).evaluate((card) => card.getBoundingClientRect().top);
  const before = await topOf();
  await postRequest(
    page,
    { ...aCustomer('Burst pipe'), name: 'Noor Haddad', isUrgent: 'on' },
    `/t/${account.slug}`,
  );
  await expect(cards.first()).toContainText('Burst pipe');
  await expect(page.getByRole('link', { name: bar })).toBeVisible();
  expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(2);
  // A click of the test's own scrolls to where the bar stands in the page.
  await page.getByRole('button', { name: 'Dismiss' }).dispatchEvent('click');
  await expect(page.getByRole('link', { name: bar })).toHaveCount(0);
  expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(2);
});

for (const { path, width, urgent } of [
  { path: '/', width: 1280, urgent: true },
  { path: '/jobs/new?view=new', width: 1280, urgent: true },
  { path: '/jobs/all?view=all', width: 820, urgent: false },
]) {
  test(`on ${path}, ${width} px wide, a request that comes in moves nothing before it is asked for`, {
    tag: '@desktop',
  }, async ({ page, account }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const n of [1, 2, 3]) await postRequest(page, aCustomer(`Waits ${n}`), `/t/${account.slug}`);
    await logInByApi(page, account);
    const live = page.waitForResponse('**/api/live?*');
    await page.goto(path);
    const cards = page.locator('main [data-job]');
    await expect(cards).toHaveCount(3);
    // Loaded by itself, below the jobs.
    if (path === '/') await expect(page.getByRole('heading', { name: 'Still to do' })).toBeVisible();
    await live;
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main [data-job], main h1, main h2')].map((one) => {
          const { left, top } = one.getBoundingClientRect();
          return [one.getAttribute('data-job') ?? one.textContent, Math.round(left), Math.round(top)];
        }),
      );
    const before = await places();
    const lead = aCustomer('Burst pipe');
    await postRequest(page, urgent ? { ...lead, isUrgent: 'on' } : lead, `/t/${account.slug}`);
    const show = page.getByRole('button', { name: '1 new request: show' });
    await expect(show).toBeVisible();
    if (urgent) await expect(page.getByRole('link', { name: /^Urgent: / })).toBeVisible();
    expect(await places()).toEqual(before);
    await expectAccessible(page);
    await show.click();
    await expect(cards.first()).toContainText('Burst pipe');
    await expect(page.getByRole('link', { name: `${lead.name}, ${lead.title}` })).toBeFocused();
    await expect(show).toHaveCount(0);
  });
}
