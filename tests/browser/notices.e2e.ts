import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

test('the notices can be read without an account, in both themes', { tag: '@phone' }, async ({ page }) => {
  for (const [path, title] of [
    ['/terms', 'Terms'],
    ['/privacy', 'Privacy'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test('a pinned appearance outweighs the system', { tag: '@desktop' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/terms');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.evaluate(() => document.documentElement.setAttribute('data-scheme', 'light'));
  expect(await background()).not.toBe(dark);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(() => document.documentElement.setAttribute('data-scheme', 'dark'));
  expect(await background()).toBe(dark);
});
