import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';

for (const [path, title] of [
  ['/terms', 'Terms'],
  ['/privacy', 'Privacy'],
] as const) {
  test(`${path} can be read without an account, in both themes`, async ({ page }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    }
  });
}

test('a pinned appearance outweighs the system', async ({ page }) => {
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
