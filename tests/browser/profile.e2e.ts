import { expect } from '@playwright/test';
import { planLine, planNames } from '#core/values/plan-lines.ts';
import { plans } from '#core/values/product.ts';
import type { Profile } from '#site/lib/profile.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi, publicForm, signIn } from '#tests/support/browser/browser.ts';
import { changeAnswer, expectAccessible } from '#tests/support/browser/page.ts';

test('shows who is signed in and the business; the way out is a button on a phone, the avatar on a laptop', async ({
  page,
  isMobile,
}) => {
  await signIn(page, '/profile');
  await expect(page.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
  await expect(page.getByText(process.env.UTE_DEMO_EMAIL ?? '')).toBeVisible();
  await expect(page.getByText(publicForm().replace(/^https?:\/\//, ''))).toBeVisible();
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  const initials = name
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  await expect(page.locator('.topbar .avatar')).toHaveText(initials);
  await expect(page.locator('.topbar .avatar')).toBeVisible({ visible: !isMobile });
  await expectAccessible(page);
  const logout = page.getByRole('main').getByRole('link', { name: 'Logout' });
  await expect(logout).toBeVisible({ visible: isMobile });
  if (isMobile) await logout.click();
  else await page.getByRole('banner').getByRole('link', { name: 'log out' }).click();
  await page.waitForURL('/login');
});

for (const own of ['starter', 'pro'] as const) {
  test(`says in one line what ${own} is, and the other plans on a press`, { tag: '@phone' }, async ({
    page,
    register,
  }) => {
    await logInByApi(page, await register({ plan: own }));
    await page.goto('/profile');
    await expect(page.getByText(`${planNames[own]} plan`, { exact: true })).toBeVisible();
    await expect(page.getByText(planLine(own), { exact: true })).toBeVisible();
    await expect(page.getByRole('term')).toHaveCount(0);
    await page.getByText('What the other plans are').click();
    const others = plans.filter((plan) => plan !== own);
    await expect(page.getByRole('term')).toHaveText(others.map((plan) => planNames[plan]));
    await expect(page.getByRole('definition')).toHaveText(others.map(planLine));
    await expectAccessible(page);
  });
}

test('Preview opens the public job form; Share copies its link and confirms it', { tag: '@phone' }, async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, '/profile');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Preview' }).click();
  const preview = await opened;
  await expect(preview).toHaveURL(publicForm());
  await preview.close();
  await page.getByRole('button', { name: 'Share' }).click();
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toContainText('Share Job Form');
  await expect(toast).toContainText('The link to your job form was copied to clipboard');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(publicForm());
  await expectAccessible(page);
});

test('Preview and Share are disabled without a slug, and the name stands in for a trading name', {
  tag: '@desktop',
}, async ({ page }) => {
  await logInByApi(page, demo());
  await page.route('**/api/authenticate', (route) =>
    changeAnswer<{ user: Profile }>(route, ({ user, ...rest }) => {
      const bn = { ...user.bn, name: 'Registered Name', tradingName: '' };
      return { ...rest, user: { ...user, slug: null, bn } };
    }),
  );
  await page.goto('/profile');
  await expect(page.getByText('Registered Name')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Preview' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Share' })).toBeDisabled();
});
