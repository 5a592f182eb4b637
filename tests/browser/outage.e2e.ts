import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi } from '#tests/support/browser/browser.ts';
import { changeAnswer } from '#tests/support/browser/page.ts';

for (const [path, tag] of [
  ['/', '@phone'],
  ['/jobs/all', '@desktop'],
] as const) {
  test(`while the server marks its jobs as old, ${path} shows that`, { tag }, async ({ page }) => {
    await logInByApi(page, demo());
    await page.route('**/api/jobs**', (route) =>
      changeAnswer<object>(route, (answer) => answer, { 'x-read-model': 'stale' }),
    );
    await page.goto(path);
    const note = page.getByText('The latest changes may be missing here.');
    await expect(note).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(note).toBeHidden();
  });
}

test('while the server has an outage, a list waits for it and loads by itself once it is over', {
  tag: '@phone',
}, async ({ page }) => {
  await logInByApi(page, demo());
  let isUnavailable = true;
  const outage = {
    status: 503,
    headers: { 'retry-after': '1' },
    json: { status: 'error', message: 'unavailable' },
  };
  await page.route('**/api/jobs**', (route) => (isUnavailable ? route.fulfill(outage) : route.continue()));
  const refused = page.waitForResponse((answer) => answer.status() === 503);
  await page.goto('/jobs/all');
  await refused;
  isUnavailable = false;
  await expect(page.locator('main a[href^="/jobs/details/"]').first()).toBeVisible();
});
