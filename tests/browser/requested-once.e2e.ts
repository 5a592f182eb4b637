import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';

for (const { path, asks } of [
  { path: '/', asks: ['/api/jobs/count', '/api/jobs', '/api/jobs/schedule'] },
  { path: '/jobs/all?view=all', asks: ['/api/jobs/count', '/api/jobs'] },
  { path: '/jobs/today?view=today', asks: ['/api/jobs/count', '/api/jobs/schedule'] },
]) {
  test(`${path} asks once as it opens, and once more after a gap of the live connection`, {
    tag: '@desktop',
  }, async ({ page, account }) => {
    await logInByApi(page, account);
    const asked: Record<string, number> = {};
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      asked[pathname] = (asked[pathname] ?? 0) + 1;
    });
    // The connection opens, breaks, opens again and breaks; the third time it is not answered any more.
    const connections: string[] = [];
    await page.route('**/api/live?*', async (route) => {
      connections.push(route.request().url());
      if (connections.length > 2) return;
      await route.fulfill({ contentType: 'text/event-stream', body: ': open\n\n' });
    });
    await page.goto(path);
    await expect.poll(() => connections.length).toBe(3);
    const numbers = () => asks.map((at) => [at, asked[at]]);
    await expect.poll(numbers).toEqual(asks.map((at) => [at, 2]));
    for (const url of connections) expect(Number(new URL(url).searchParams.get('age'))).toBeGreaterThan(0);
  });
}
