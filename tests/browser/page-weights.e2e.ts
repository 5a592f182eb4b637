import { gzipSync } from 'node:zlib';
import { expect, type Page, type Response } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';

/** What a first visit may cost at most. `kilobytes`: all scripts, gzipped each by itself, 1 kB = 1,024 bytes. */
type Budget = Readonly<{
  path: string;
  requests: number;
  scripts: number;
  sheets: number;
  kilobytes: number;
}>;

const before: readonly Budget[] = [
  { path: '/login', requests: 10, scripts: 1, sheets: 2, kilobytes: 7 },
  { path: '/book-demo', requests: 10, scripts: 1, sheets: 2, kilobytes: 5 },
];
const signedIn: readonly Budget[] = [
  { path: '/', requests: 25, scripts: 8, sheets: 2, kilobytes: 96 },
  { path: '/jobs/all?view=all', requests: 25, scripts: 8, sheets: 2, kilobytes: 96.5 },
  { path: '/jobs/today?view=today', requests: 25, scripts: 8, sheets: 2, kilobytes: 99 },
  { path: '/jobs/new?view=new', requests: 25, scripts: 8, sheets: 2, kilobytes: 97.5 },
  { path: '/profile', requests: 25, scripts: 9, sheets: 2, kilobytes: 98 },
];

async function firstVisit(page: Page, path: string) {
  const responses: Response[] = [];
  // The connection for news stays open, and a page with it is never idle: it is left out.
  await page.route('**/api/live?*', (route) => route.abort());
  page.on('response', (response) => responses.push(response));
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const of = (type: string) => responses.filter((response) => response.request().resourceType() === type);
  const scripts = await Promise.all(of('script').map((response) => response.body()));
  return {
    requests: responses.length,
    scripts: scripts.length,
    sheets: of('stylesheet').length,
    kilobytes: kilobytesOf(scripts),
  };
}

function kilobytesOf(bodies: readonly Buffer[]): number {
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_024;
}

function expectWithin(cost: Awaited<ReturnType<typeof firstVisit>>, { path: _, ...budget }: Budget): void {
  const over = Object.entries(budget).filter(([of, most]) => cost[of as keyof typeof cost] > most);
  expect(over, JSON.stringify(cost)).toEqual([]);
}

test.use({ serviceWorkers: 'block' });

for (const budget of before) {
  test(`${budget.path} costs a first visit few requests`, { tag: '@phone' }, async ({ page }) => {
    expectWithin(await firstVisit(page, budget.path), budget);
  });
}

test('a public form costs a first visit twelve requests and 30 kB, fonts and pictures apart', {
  tag: '@phone',
}, async ({ page, account }) => {
  const path = `/t/${account.slug}`;
  const bodies: Record<string, Promise<Buffer>[]> = {};
  page.on('response', (response) => (bodies[response.request().resourceType()] ??= []).push(response.body()));
  expectWithin(await firstVisit(page, path), { path, requests: 12, scripts: 1, sheets: 1, kilobytes: 10 });
  const weight = async (type: string) => kilobytesOf(await Promise.all(bodies[type] ?? []));
  const [styles, scripts, html] = [
    await weight('stylesheet'),
    await weight('script'),
    await weight('document'),
  ];
  expect(styles).toBeGreaterThan(1);
  expect(styles).toBeLessThanOrEqual(8);
  expect(styles + scripts + html).toBeLessThanOrEqual(30);
});

test('the page that checks a record is 20 kB with its script and its styles, fonts apart', {
  tag: '@phone',
}, async ({ page }) => {
  const bodies: Record<string, Promise<Buffer>[]> = {};
  page.on('response', (response) => (bodies[response.request().resourceType()] ??= []).push(response.body()));
  const cost = await firstVisit(page, '/check');
  expectWithin(cost, { path: '/check', requests: 5, scripts: 0, sheets: 1, kilobytes: 0 });
  const weight = async (type: string) => kilobytesOf(await Promise.all(bodies[type] ?? []));
  const [html, styles] = [await weight('document'), await weight('stylesheet')];
  expect(html).toBeGreaterThan(10);
  expect(styles).toBeGreaterThan(1);
  expect(html + styles).toBeLessThanOrEqual(20_000 / 1_024);
});

for (const budget of signedIn) {
  test(`${budget.path} costs a first visit few requests`, { tag: '@phone' }, async ({ page, account }) => {
    const ask = await logInByApi(page, account);
    await postRequest(page, aCustomer('Weighed'), `/t/${account.slug}`);
    await expect.poll(async () => (await ask<{ jobs: unknown[] }>('GET', '/jobs')).jobs.length).toBe(1);
    expectWithin(await firstVisit(page, budget.path), budget);
  });
}

test('the first steps cost a dashboard without jobs one file more', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  const budget = { path: '/', requests: 25, scripts: 8, sheets: 2, kilobytes: 98 };
  expectWithin(await firstVisit(page, budget.path), budget);
});

test('what begins to ask on one page stays out of the files that pages share', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/register/tradie');
  await expect(page.getByRole('heading', { level: 1, name: 'Where are you based?' })).toBeVisible();
  await logInByApi(page, account);
  for (const path of ['/chatbot', '/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  // The count at Jobs, once each.
  expect(asked.filter((path) => path.startsWith('/api/jobs'))).toEqual([
    '/api/jobs/count',
    '/api/jobs/count',
  ]);
});

test.describe('a second visit', () => {
  test.use({ serviceWorkers: 'allow' });

  test('has its scripts and styles from the service worker', { tag: '@phone' }, async ({ page, account }) => {
    await logInByApi(page, account);
    await page.goto('/');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const files: Response[] = [];
    page.on('response', (response) => {
      if (['script', 'stylesheet'].includes(response.request().resourceType())) files.push(response);
    });
    await page.goto('/jobs/all?view=all');
    await expect(page.getByRole('heading', { level: 1, name: 'All jobs' })).toBeVisible();
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((file) => !file.fromServiceWorker()).map((file) => file.url())).toEqual([]);
  });
});
