import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { openJob, signIn } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { png } from '#tests/support/scenarios/files.ts';

// A page may ask on while it closes.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const sides = [300, 200, 100] as const;
const media = [...sides.keys()].map((at) => ({
  ...{ url: `/api/media/photo-${at}?exp=1`, name: `photo-${at}.png`, mime: 'image/png' },
  thumb: `/api/media/photo-${at}?exp=1&size=thumb`,
}));
const tiles = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).getByRole('link');
const viewer = (page: Page) => page.getByRole('dialog', { name: /^Photos of Full of photos/ });

async function openPhotos(page: Page): Promise<void> {
  await page.route('**/api/media/photo-*', (route) => {
    const at = Number(/photo-(\d)/.exec(route.request().url())?.[1]);
    const side = sides[at] ?? 1;
    return route.fulfill({ contentType: 'image/png', body: Buffer.from(png(side, side)) });
  });
  await openJob(page, 'Full of photos', { changes: { media } });
}

test('photos open over the whole screen by keyboard, and the focus returns to the one shown last', {
  tag: '@desktop',
}, async ({ page }) => {
  await openPhotos(page);
  await expect(page.getByRole('heading', { name: 'Photos 3' })).toBeVisible();
  await expect(tiles(page)).toHaveCount(3);
  await expectAccessible(page);
  await tiles(page).first().focus();
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toContainText('1 of 3');
  await expect(viewer(page).getByRole('img', { name: 'Photo 1 of 3, from Aroha' })).toBeVisible();
  await expect(viewer(page)).toContainText(/Aroha Tāwhiri, Today, \d+:\d\d(AM|PM)/);
  await expect(viewer(page).getByRole('link', { name: 'Save to phone' })).toHaveAttribute(
    'href',
    media[0]?.url ?? '',
  );
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page)).toContainText('2 of 3');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page)).toContainText('3 of 3');
  await expect(viewer(page).getByRole('button', { name: 'Next photo' })).toHaveCount(0);
  const picture = viewer(page).getByRole('img', { name: 'Photo 3 of 3, from Aroha' });
  await page.keyboard.press('+');
  await expect(picture).toHaveAttribute('style', /scale\(1\.5\)/);
  await page.keyboard.press('-');
  await expect(picture).toHaveAttribute('style', /scale\(1\)/);
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toHaveCount(0);
  await expect(tiles(page).nth(2)).toBeFocused();
});

test('a finger swipes to the next photo, pinches it, taps twice and swipes down', { tag: '@phone' }, async ({
  page,
}) => {
  await openPhotos(page);
  await tiles(page).first().click();
  await expect(viewer(page)).toContainText('1 of 3');
  const box = await viewer(page)
    .getByRole('img', { name: /^Photo 1/ })
    .boundingBox();
  const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  const phone = await page.context().newCDPSession(page);
  /** Each step is where the fingers are, from the middle of the photo. */
  const touch = async (...steps: readonly (readonly (readonly [number, number])[])[]) => {
    for (const [at, fingers] of steps.entries()) {
      const touchPoints = fingers.map(([x, y], id) => ({ x: middle.x + x, y: middle.y + y, id }));
      await phone.send('Input.dispatchTouchEvent', {
        ...{ type: at === 0 ? 'touchStart' : 'touchMove', touchPoints },
      });
    }
    await phone.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await touch([[100, 0]], [[40, 4]], [[-60, 6]]);
  await expect(viewer(page)).toContainText('2 of 3');
  const picture = viewer(page).getByRole('img', { name: /^Photo 2/ });
  await touch(
    [
      [-20, 0],
      [20, 0],
    ],
    [
      [-60, 0],
      [60, 0],
    ],
  );
  await expect(picture).toHaveAttribute('style', /scale\(3/);
  // An enlarged photo is moved, not left.
  await touch([[100, 0]], [[-60, 0]]);
  await expect(viewer(page)).toContainText('2 of 3');
  await touch([[0, 0]]);
  await touch([[0, 0]]);
  await expect(picture).toHaveAttribute('style', /scale\(1\)/);
  await touch([[0, -50]], [[0, 0]], [[4, 120]]);
  await expect(viewer(page)).toHaveCount(0);
  await expect(tiles(page).nth(1)).toBeFocused();
});

test('a photo that could not be loaded says so, and is tried again', { tag: '@phone' }, async ({ page }) => {
  let isAway = true;
  await page.route('**/api/media/photo-*', (route) =>
    isAway
      ? route.fulfill({ status: 404, json: { status: 'error', message: 'Not found' } })
      : route.fulfill({ contentType: 'image/png', body: Buffer.from(png(60, 60)) }),
  );
  await openJob(page, 'Lost photos', { changes: { media: media.slice(0, 1) } });
  const again = page.getByRole('button', { name: 'Photo 1 of 1, from Aroha: try again' });
  await expect(again).toBeVisible();
  await expectAccessible(page);
  isAway = false;
  await again.click();
  await expect(tiles(page)).toHaveCount(1);
});

test('a card says how many photos there are, and one without any says nothing', { tag: '@phone' }, async ({
  page,
}) => {
  await page.route('**/api/jobs?*', async (route) => {
    const response = await route.fetch();
    const { jobs, ...more } = await response.json();
    const counted = jobs.map((job: object, n: number) => ({ ...job, pictures: [2, 1][n] ?? 0 }));
    await route.fulfill({ response, json: { jobs: counted, ...more } });
  });
  await signIn(page, '/jobs/all?view=all');
  const counted = (n: number) =>
    page
      .getByRole('article')
      .nth(n)
      .getByText(/^\d+ photos?$/);
  await expect(counted(0)).toHaveText('2 photos');
  await expect(counted(1)).toHaveText('1 photo');
  await expect(counted(2)).toHaveCount(0);
});
