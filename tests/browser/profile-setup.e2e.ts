import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible, expectFits } from '#tests/support/browser/page.ts';

const look = (page: Page) => page.getByRole('dialog', { name: 'Logo and colour' });

/** A picture as a phone would bring it: of 800 by 400 pixels, or as high. */
async function picture(page: Page, height = 400): Promise<Buffer> {
  const url = await page.evaluate((height) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 800, height });
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = '#c21313';
      context.fillRect(0, 0, 800, height);
    }
    return canvas.toDataURL('image/png');
  }, height);
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

const next = (page: Page) => page.getByRole('button', { name: 'Next' });

test('a starter introduces the business, chooses its theme, and is welcomed once', {
  tag: '@phone',
}, async ({ page, register }) => {
  const account = await register({ plan: 'starter' }, { isNew: true });
  const ask = await logInByApi(page, account);
  await page.goto('/profile/intro');
  const intro = page.getByRole('textbox', { name: 'Introduction' });
  await intro.fill('x'.repeat(310));
  await expect(intro).toHaveValue('x'.repeat(300));
  await expect(page.getByText('300/300 characters')).toBeVisible();
  // Beyond the limit nothing is typed, in the middle of the text either, and an emoji is one character.
  await intro.press('Home');
  await intro.pressSequentially('ab');
  await expect(intro).toHaveValue('x'.repeat(300));
  await intro.fill(`${'👷'.repeat(299)}ab`);
  await expect(intro).toHaveValue(`${'👷'.repeat(299)}a`);
  await expect(page.getByText('300/300 characters')).toBeVisible();
  await intro.fill('Family plumbers since 2009');
  await page.reload();
  await expect(intro).toHaveValue('Family plumbers since 2009');
  await expectAccessible(page);
  await next(page).click();

  await expect(page).toHaveURL('/profile/brand');
  await expect(page.getByRole('heading', { name: 'Customise appearance' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back' })).toHaveCount(0);
  await page.getByRole('radio', { name: 'Green' }).check();
  const address = page.getByLabel('Public page address');
  await address.fill('admin');
  await expect(page.getByText('Sorry, that URL is not available')).toBeVisible();
  await expect(next(page)).toBeDisabled();
  const slug = `New ${account.slug.slice(5, 12)}`;
  await address.fill(slug);
  await expect(page.getByText('This address is free')).toBeVisible();
  await expectAccessible(page);
  await next(page).click();

  await expect(page).toHaveURL('/profile');
  await expect(page.getByText('Your profile was updated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome aboard! 🎉' })).toBeVisible();
  await expectAccessible(page);
  const link = `${new URL(page.url()).host}/t/${slug.replace(' ', '').toLowerCase()}`;
  await expect(page.getByText(link)).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Share your job form' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Share Job Form' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`http://${link}`);
  await page.getByRole('button', { name: "Let's Go" }).click();
  await expect(page.getByRole('heading', { name: 'Business Profile' })).toBeVisible();
  const { user } = await ask<{ user: Record<string, unknown> }>('GET', '/authenticate');
  expect(user).toMatchObject({
    ...{ onboarding: false, intro: 'Family plumbers since 2009', theme: '#5C9B61' },
    slug: slug.replace(' ', '').toLowerCase(),
  });
});

test('plus and pro add a logo first; it shows in the bar, the settings and on the public page', {
  tag: '@desktop',
}, async ({ page, register }) => {
  const account = await register({ plan: 'pro' });
  await logInByApi(page, account);
  await page.goto('/profile/brand');
  await expect(page.getByRole('heading', { name: 'Add your logo' })).toBeVisible();
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await expect(page.getByText('Use a PNG, JPEG or WebP image')).toBeVisible();
  const broken = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: broken });
  await expect(page.getByText('This image is damaged, please use another one')).toBeVisible();
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await picture(page) });
  await expect(page.getByAltText('Your logo')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByAltText('Your logo')).toHaveCount(0);
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await picture(page) });
  await expect(page.getByAltText('Your logo')).toBeVisible();
  await expectAccessible(page);
  await next(page).click();

  await expect(page.getByRole('heading', { name: 'Customise appearance' })).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByAltText('Your logo')).toBeVisible();
  await next(page).click();
  await next(page).click();
  await expect(page).toHaveURL('/profile');
  await expect(page.locator('.bp .biz-logo img')).toBeVisible();
  await expect(page.locator('.topbar .biz-logo img')).toBeVisible();
  await page.goto(`/t/${account.slug}`);
  const logo = page.locator('img.biz-logo').first();
  await expect(logo).toBeVisible();
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
});

test('a high logo stays in its frame, and what was saved shows on the dashboard that the setup leads to', {
  tag: '@desktop',
}, async ({ page, register }) => {
  const account = await register({ plan: 'plus' }, { isNew: true });
  await logInByApi(page, account);
  await page.goto('/profile/brand');
  const buffer = await picture(page, 2000);
  await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  const side = async (image: ReturnType<Page['locator']>) => {
    const box = await image.boundingBox();
    return Math.round(Math.max(box?.width ?? Number.NaN, box?.height ?? Number.NaN));
  };
  await expect(page.getByAltText('Your logo')).toBeVisible();
  expect(await side(page.getByAltText('Your logo'))).toBeLessThanOrEqual(128);
  await next(page).click();
  await next(page).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Your profile was updated successfully')).toBeVisible();
  await expect(page.locator('.topbar .biz-logo img')).toBeVisible();
  expect(await side(page.locator('.topbar .biz-logo img'))).toBeLessThanOrEqual(36);
  await page.goto(`/t/${account.slug}`);
  await expect(page.locator('img.biz-logo').first()).toHaveCSS('object-fit', 'contain');
});

test('an address that another business has is refused where it is typed and when it is saved', {
  tag: '@desktop',
}, async ({ page, register, account }) => {
  const other = await register();
  await logInByApi(page, account);
  await page.goto('/profile/brand');
  const address = page.getByLabel('Public page address');
  await address.fill(other.slug);
  await expect(page.getByText('This domain is already taken. Try a different URL')).toBeVisible();
  await expect(next(page)).toBeDisabled();
  await page.route('**/api/settings/branding/slug*', (route) =>
    route.fulfill({ status: 409, json: { status: 'error', code: 'taken', message: 'Taken' } }),
  );
  await address.fill('');
  await address.fill(other.slug);
  await expect(page.getByText('This domain is already taken. Try a different URL')).toBeVisible();
  await address.fill('admin');
  await expect(page.getByText('Sorry, that URL is not available')).toBeVisible();
  // Taken by another business between the check and the saving.
  await page.route('**/api/settings/branding/slug*', (route) =>
    route.fulfill({ json: { status: 'ok', available: true, slug: other.slug } }),
  );
  await address.fill('');
  await address.fill(other.slug);
  await expect(page.getByText('This address is free')).toBeVisible();
  await next(page).click();
  await expect(page.getByText('This domain is already taken.', { exact: true })).toBeVisible();
  await expect(page.getByText('Try a different URL', { exact: true })).toBeVisible();
  await expect(page.getByText('This domain is already taken. Try a different URL')).toBeVisible();
  await expect(address).toHaveValue(other.slug);
});

for (const [plan, end, reviews] of [
  ['starter', '/profile', '/profile/form'],
  ['plus', '/', '/'],
] as const) {
  test(`skipping leads a ${plan} who is being set up where the plan leads`, { tag: '@phone' }, async ({
    page,
    register,
  }) => {
    await logInByApi(page, await register({ plan }, { isNew: true }));
    await page.goto('/profile/intro');
    await page.getByRole('link', { name: 'SKIP', exact: true }).click();
    await expect(page).toHaveURL('/profile/brand');
    await page.getByRole('link', { name: 'SKIP', exact: true }).click();
    await expect(page).toHaveURL(end);
    await page.goto('/profile/reviews');
    await expect(page).toHaveURL(reviews);
  });
}

test('a failing network loses nothing that is chosen', { tag: '@phone' }, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/profile/brand');
  await page.getByRole('radio', { name: 'Orange' }).check();
  await page.route('**/api/settings/branding', (route) => route.abort());
  await next(page).click();
  const failure = page.locator('.toast').filter({ hasText: 'An error has occurred, please try again later' });
  await expect(failure).toBeVisible();
  // Over no button of the page, wherever it slides in from.
  const lowerEnd = async () => (await failure.boundingBox().then((box) => box && box.y + box.height)) ?? 0;
  const bar = await page.locator('.wizard-bar').boundingBox();
  await expect.poll(lowerEnd).toBeLessThanOrEqual(bar?.y ?? 0);
  await expect(page.getByRole('radio', { name: 'Orange' })).toBeChecked();
  await page.unroute('**/api/settings/branding');
  await next(page).click();
  await expect(page).toHaveURL('/profile');
});

test('logo and colour are changed in one panel, previewed on a phone before they are saved', {
  tag: '@desktop',
}, async ({ page, register }) => {
  const account = await register({ plan: 'plus' });
  const ask = await logInByApi(page, account);
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Change logo, colour and address' }).click();
  await expect(page).toHaveURL('/profile?panel=look');
  const preview = look(page).getByRole('img', { name: 'Preview of your job form' });
  await look(page).getByRole('radio', { name: 'Green' }).check();
  await expect(preview).toHaveAttribute('data-biz', '5C9B61');
  await look(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(look(page)).toHaveCount(0);
  expect((await ask<{ user: { theme: string } }>('GET', '/authenticate')).user.theme).not.toBe('#5C9B61');

  await page.goto('/profile?panel=look');
  await look(page).getByRole('radio', { name: 'Green' }).check();
  await look(page)
    .locator('input[type="file"]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await picture(page) });
  await expect(preview.locator('img')).toHaveAttribute('src', /^data:image/);
  await expect(look(page).getByRole('button', { name: 'Remove' })).toBeVisible();
  await expectAccessible(page);
  await look(page).getByLabel('Public page address').fill('admin');
  await expect(look(page).getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await look(page).getByLabel('Public page address').fill(account.slug);
  await look(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Your profile was updated successfully')).toBeVisible();
  await expect(look(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Business Profile' })).toHaveAttribute('data-biz', '5C9B61');
  const { user } = await ask<{ user: { theme: string; logo: string | null } }>('GET', '/authenticate');
  expect(user.theme).toBe('#5C9B61');
  expect(user.logo).toMatch(/^\/logos\//);
});

test('a starter has a colour and an address, and reads that logos come with Plus', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.goto('/profile?panel=look');
  await expect(look(page).getByText('Logos come with Plus')).toBeVisible();
  await expect(look(page).locator('input[type="file"]')).toHaveCount(0);
  await expect(look(page).getByRole('radio', { name: 'Sky blue' })).toBeChecked();
  await expectFits(page, ['Logos', 'Public', 'Cancel', 'Save']);
});
