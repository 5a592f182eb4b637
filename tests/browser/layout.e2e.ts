import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import type { LayoutCase } from './layout-site/cases.ts';
import { serveLayoutSite } from './layout-site/serve.ts';

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

test('the main layout has a top bar with logo, menu and avatar on a laptop, and tabs on a phone', async ({
  page,
  isMobile,
}) => {
  await open(page, 'defaults');
  await expect(topBar(page)).toBeVisible({ visible: !isMobile });
  await expect(tabs(page)).toBeVisible({ visible: isMobile });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu).toHaveCount(1);
  await expect(menu.getByRole('link')).toHaveText(['Jobs', 'Profile']);
  await expect(menu.getByRole('link', { name: 'Jobs' })).toHaveAttribute('href', '/');
  await expect(menu.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/profile');
  if (isMobile) return;
  await expect(topBar(page).getByRole('link', { name: 'Ute, home' })).toHaveAttribute('href', '/');
  await expect(topBar(page).getByRole('link', { name: 'Log out' })).toHaveAttribute('href', '/logout');
});

const jobsPaths = ['', 'jobs', 'jobs/all', 'jobs/details/1'] as const;
const profilePaths = ['profile', 'profile/brand'] as const;

for (const [section, paths] of [
  ['Jobs', jobsPaths],
  ['Profile', profilePaths],
] as const) {
  test(`${section} is the active section of ${paths.map((path) => `/${path}`).join(', ')}`, async ({
    page,
    isMobile,
  }) => {
    for (const path of paths) {
      await open(page, path);
      const menu = page.getByRole('navigation', { name: 'Main' });
      await expect(menu.locator('[aria-current="page"]')).toHaveText(section);
      if (isMobile) continue;
      const ink = await page.evaluate(() => getComputedStyle(document.body).color);
      await expect(menu.getByRole('link', { name: section })).toHaveCSS('border-bottom-color', ink);
    }
  });
}

test('no section is active elsewhere', async ({ page }) => {
  await open(page, 'defaults');
  await expect(page.locator('[aria-current]')).toHaveCount(0);
});

test('the modal layout has its top bar on a phone too, with the logo alone', async ({ page }) => {
  await open(page, 'modal-bare');
  await expect(topBar(page)).toBeVisible();
  await expect(topBar(page).getByRole('link')).toHaveCount(1);
  await expect(page.getByRole('navigation')).toHaveCount(0);
});

for (const path of ['slots', 'modal'] as const) {
  test(`the top bar of /${path} takes close, back, middle and next`, async ({ page, isMobile }) => {
    await open(page, path);
    const visible = path === 'modal' || !isMobile;
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

test('the layout none has neither top bar nor tabs', async ({ page }) => {
  await open(page, 'none');
  await expect(page.getByRole('heading', { name: 'Layout' })).toBeVisible();
  await expect(topBar(page)).toHaveCount(0);
  await expect(tabs(page)).toHaveCount(0);
});

test('the page is 480, 768, 1024 or 1200 px wide, 768 unless told', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  for (const [path, pixels] of [
    ['sm', 480],
    ['md', 768],
    ['lg', 1024],
    ['xl', 1200],
    ['defaults', 768],
  ] as const) {
    await open(page, path);
    const heading = page.getByRole('heading', { name: 'Layout' });
    expect(await heading.evaluate((element) => element.getBoundingClientRect().width)).toBe(pixels);
  }
});

test('the footer can be turned off, and on for a modal', async ({ page, isMobile }) => {
  await open(page, 'no-footer');
  await expect(tabs(page)).toHaveCount(0);
  await open(page, 'modal-footer');
  await expect(tabs(page)).toBeVisible({ visible: isMobile });
});

test('a full-height page fills the window', async ({ page }) => {
  await open(page, 'defaults');
  const bottom = () => page.getByRole('main').evaluate((main) => main.getBoundingClientRect().bottom);
  const height = page.viewportSize()?.height ?? 0;
  expect(await bottom()).toBeLessThan(height);
  for (const path of ['full', 'full-phone-bar', 'full-modal'] as const) {
    await open(page, path);
    expect(await bottom()).toBeCloseTo(height, 0);
  }
});

test('the mobile option shows the top bar on a phone', async ({ page }) => {
  await open(page, 'phone-bar');
  await expect(topBar(page)).toBeVisible();
});

test('the floating action button stands above the tabs, on a phone only', async ({ page, isMobile }) => {
  await open(page, 'action');
  const action = page.locator('.fab');
  await expect(action).toBeVisible({ visible: isMobile });
  await expect(action).toHaveAttribute('aria-label', 'Add new job');
  if (!isMobile) return;
  await expect(action).toHaveCSS('position', 'fixed');
  const [button, bar] = await Promise.all([action.boundingBox(), tabs(page).boundingBox()]);
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
});

test('the mascot stands in for the avatar on the chatbot page', async ({ page }) => {
  await open(page, 'chatbot');
  await expect(page.locator('.topbar__kel')).toHaveCount(1);
  await expect(page.locator('.avatar')).toHaveCount(0);
});

for (const path of ['defaults', 'modal', 'action'] as const) {
  test(`axe finds nothing on /${path}`, async ({ page }) => {
    await open(page, path);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
