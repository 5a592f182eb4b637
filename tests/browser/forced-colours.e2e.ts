import { expect, type Locator } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';

const background = (target: Locator) =>
  target.evaluate((element) => getComputedStyle(element).backgroundColor);

test('what is chosen stands out in the colours of the system', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/jobs/all');
  const views = page.getByRole('navigation', { name: 'Job views' });
  const tabs = page.locator('.tabbar');
  const toggle = page.getByRole('group', { name: 'View', exact: true });
  for (const [chosen, other] of [
    [views.getByRole('link', { name: 'All jobs' }), views.getByRole('link', { name: 'Today' })],
    [tabs.locator('[aria-current] .tabbar__pill'), tabs.locator('a:not([aria-current]) .tabbar__pill')],
    [toggle.locator('[aria-pressed="true"]'), toggle.locator('[aria-pressed="false"]')],
  ] as const) {
    expect(await background(chosen), String(chosen)).not.toBe(await background(other));
  }
});
