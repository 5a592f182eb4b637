import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import type { LayoutCase } from './layout-site/cases.ts';
import { serveLayoutSite } from './layout-site/serve.ts';

// One project builds the site; what depends on the width is looked at in both of them.
test.describe.configure({ mode: 'default' });

let site: Awaited<ReturnType<typeof serveLayoutSite>>;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  site = await serveLayoutSite();
});
test.afterAll(() => site.stop());

const open = (page: Page, path: LayoutCase | '') => page.goto(`${site.url}/${path}`);
const topBar = (page: Page) => page.getByRole('banner');
const tabs = (page: Page) => page.locator('.tabbar');
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const title = (page: Page) => page.getByRole('heading', { name: 'Layout' });

const sizes = { laptop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/** Checks the open page as it is on a laptop and on a phone. */
async function onBoth(page: Page, check: (isPhone: boolean) => Promise<void>): Promise<void> {
  for (const size of [sizes.laptop, sizes.phone]) {
    await page.setViewportSize(size);
    await check(size === sizes.phone);
  }
}

test('the main layout has a top bar with logo, menu and avatar on a laptop, and tabs on a phone', {
  tag: '@desktop',
}, async ({ page }) => {
  await open(page, 'defaults');
  await expect(page.locator('[aria-current]')).toHaveCount(0);
  await onBoth(page, async (isPhone) => {
    await expect(topBar(page)).toBeVisible({ visible: !isPhone });
    await expect(tabs(page)).toBeVisible({ visible: isPhone });
    await expect(menu(page)).toHaveCount(1);
    await expect(menu(page).getByRole('link')).toHaveText(
      isPhone ? ['Jobs', '', 'Profile'] : ['Jobs', 'Profile'],
    );
    await expect(menu(page).getByRole('link', { name: 'Jobs' })).toHaveAttribute('href', '/');
    await expect(menu(page).getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/profile');
    await expectAccessible(page);
    if (isPhone) return;
    await expect(topBar(page).getByRole('link', { name: 'Ute, home' })).toHaveAttribute('href', '/');
    await expect(topBar(page).getByRole('link', { name: 'Log out' })).toHaveAttribute('href', '/logout');
  });
});

test('the section of a page is the active one of the menu', { tag: '@desktop' }, async ({ page }) => {
  for (const [section, paths] of [
    ['Jobs', ['', 'jobs', 'jobs/all', 'jobs/details/1']],
    ['Profile', ['profile', 'profile/brand']],
  ] as const) {
    for (const path of paths) {
      await open(page, path);
      await onBoth(page, async (isPhone) => {
        await expect(menu(page).locator('[aria-current="page"]'), `/${path}`).toHaveText(section);
        if (isPhone) return;
        const ink = await page.evaluate(() => getComputedStyle(document.body).color);
        await expect(menu(page).getByRole('link', { name: section })).toHaveCSS('border-bottom-color', ink);
      });
    }
  }
});

test('the top bar takes close, back, middle and next; a modal has it on a phone too, with the logo alone', {
  tag: '@desktop',
}, async ({ page }) => {
  for (const path of ['slots', 'modal'] as const) {
    await open(page, path);
    await onBoth(page, async (isPhone) => {
      const visible = path === 'modal' || !isPhone;
      for (const [name, href] of [
        ['Close', '/closed'],
        ['Back', '/before'],
        ['Next', '/after'],
      ] as const) {
        const link = page.locator('header').getByText(name, { exact: true });
        await expect(link).toBeVisible({ visible });
        await expect(link).toHaveAttribute('href', href);
      }
      await expect(page.locator('header').getByText('Middle')).toBeVisible({ visible });
    });
  }
  await expectAccessible(page);
  await open(page, 'modal-bare');
  await onBoth(page, async () => {
    await expect(topBar(page)).toBeVisible();
    await expect(topBar(page).getByRole('link')).toHaveCount(1);
    await expect(page.getByRole('navigation')).toHaveCount(0);
  });
});

test('the top bar and the footer can be turned on and off', { tag: '@desktop' }, async ({ page }) => {
  await open(page, 'none');
  await expect(title(page)).toBeVisible();
  await expect(topBar(page)).toHaveCount(0);
  await expect(tabs(page)).toHaveCount(0);
  await open(page, 'no-footer');
  await expect(title(page)).toBeVisible();
  await expect(tabs(page)).toHaveCount(0);
  await open(page, 'modal-footer');
  await onBoth(page, (isPhone) => expect(tabs(page)).toBeVisible({ visible: isPhone }));
  await open(page, 'phone-bar');
  await onBoth(page, () => expect(topBar(page)).toBeVisible());
});

test('the page is 480, 768, 1024 or 1200 px wide, 768 unless set', { tag: '@desktop' }, async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  for (const [path, pixels] of [
    ['sm', 480],
    ['md', 768],
    ['lg', 1024],
    ['xl', 1200],
    ['defaults', 768],
  ] as const) {
    await open(page, path);
    expect(await title(page).evaluate((element) => element.getBoundingClientRect().width)).toBe(pixels);
  }
});

test('a full-height page fills the window', { tag: '@desktop' }, async ({ page }) => {
  const missing = () =>
    page.getByRole('main').evaluate((main) => innerHeight - main.getBoundingClientRect().bottom);
  await open(page, 'defaults');
  await onBoth(page, async () => expect(await missing()).toBeGreaterThan(0));
  for (const path of ['full', 'full-phone-bar', 'full-modal'] as const) {
    await open(page, path);
    await onBoth(page, () => expect.poll(missing, path).toBeCloseTo(0, 0));
  }
});

test('the way to a new job is lifted over the middle of the tabs, on a phone only', {
  tag: '@desktop',
}, async ({ page }) => {
  for (const [path, href] of [
    ['defaults', '/jobs/add'],
    ['jobs/new', '/jobs/new'],
  ] as const) {
    await open(page, path);
    const add = tabs(page).locator('.tabbar__add');
    await expect(add).toHaveAttribute('aria-label', 'Add new job');
    await expect(add).toHaveAttribute('href', href);
    await onBoth(page, (isPhone) => expect(add).toBeVisible({ visible: isPhone }));
    await expect(tabs(page)).toHaveCSS('position', 'fixed');
    const [button, bar] = await Promise.all([add.locator('span').boundingBox(), tabs(page).boundingBox()]);
    expect([button?.width, button?.height]).toEqual([64, 64]);
    expect(button?.y).toBeLessThan(bar?.y ?? 0);
    expect((button?.x ?? 0) + 32).toBe((bar?.width ?? 0) / 2);
    await expectAccessible(page);
  }
});

test('the mascot stands in for the avatar on the chatbot page', { tag: '@desktop' }, async ({ page }) => {
  await open(page, 'chatbot');
  await expect(page.locator('.topbar__kel')).toHaveCount(1);
  await expect(page.locator('.avatar')).toHaveCount(0);
});
