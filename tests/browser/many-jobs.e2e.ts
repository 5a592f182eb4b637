import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';

/** Counts of a business that has worked for years. */
const counts = { today: 142, new: 1_234, inProgress: 17_611, all: 100_000 };

test('counts of many digits stay on one line, and nothing below them moves', async ({ page, account }) => {
  await logInByApi(page, account);
  await page.route('**/api/jobs/count', (route) => route.fulfill({ json: { status: 'ok', count: counts } }));
  await page.addInitScript(() => {
    const seen = globalThis as unknown as { shift: number };
    seen.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  const tiles = page.getByRole('navigation', { name: 'Job counts' });
  await expect(tiles.getByRole('link', { name: /^17K In progress/ })).toBeVisible();
  await expect(tiles.getByRole('link', { name: /^100K All jobs/ })).toBeVisible();
  await expect(tiles.getByRole('link', { name: /^1234 New/ })).toBeVisible();
  const heights = await tiles
    .locator('.tile__count')
    .evaluateAll((all) => all.map((one) => one.clientHeight || one.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(60);
  const boxes = await tiles
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]));
  for (const [content = 0, room = 0] of boxes) expect(content).toBeLessThanOrEqual(room);
  expect(await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)).toBeLessThan(0.01);
});
