import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { Profile } from '#site/lib/profile.ts';
import { publicForm, signIn } from '#tests/support/browser.ts';

test.beforeEach(async ({ page }) => {
  await signIn(page, '/profile');
  await expect(page.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
});

test('shows who is signed in and the business', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(process.env.UTE_DEMO_EMAIL ?? '')).toBeVisible();
  await expect(page.getByText(publicForm().replace(/^https?:\/\//, ''))).toBeVisible();
});

test('Preview opens the public job form', async ({ page, context }) => {
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Preview' }).click();
  await expect(await opened).toHaveURL(publicForm());
});

test('Share copies the link and says so', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Share' }).click();
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('Share Job Form');
  await expect(toast).toContainText('The link to your job form was copied to clipboard');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(publicForm());
  await expect(toast).toHaveCSS('opacity', '1');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test('Preview and Share are disabled without a slug, and the name stands in for a trading name', async ({
  page,
}) => {
  const asked = page.waitForResponse('**/api/authenticate');
  await page.reload();
  const answer = (await (await asked).json()) as { user: Profile };
  const bn = { ...answer.user.bn, name: 'Registered Name', tradingName: '' };
  const json = { ...answer, user: { ...answer.user, slug: null, bn } };
  await page.route('**/api/authenticate', (route) => route.fulfill({ json }));
  await page.reload();
  await expect(page.getByText('Registered Name')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Preview' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Share' })).toBeDisabled();
});

test('Logout is a button on a phone, the avatar on a laptop', async ({ page, isMobile }) => {
  const logout = page.getByRole('main').getByRole('link', { name: 'Logout' });
  await expect(logout).toBeVisible({ visible: isMobile });
  if (isMobile) await logout.click();
  else await page.getByRole('banner').getByRole('link', { name: 'log out' }).click();
  await page.waitForURL('/login');
});

test("the avatar holds the user's initials", async ({ page, isMobile }) => {
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  const initials = name
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  await expect(page.locator('.topbar .avatar')).toHaveText(initials);
  await expect(page.locator('.topbar .avatar')).toBeVisible({ visible: !isMobile });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the profile in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
