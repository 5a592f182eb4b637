import { expect, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { pdf, png } from '#tests/support/scenarios/files.ts';

// A page may ask on while it closes.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const picture = (name: string, side: number) => ({
  ...{ name, mimeType: 'image/png', buffer: Buffer.from(png(side, side)) },
});
const add = (page: Page) => page.getByLabel('Add photo');
const sheet = (page: Page) => page.getByRole('dialog', { name: /^\d+ photos?$/ });
/** Chooses pictures and adds them as they are preset. */
async function addAll(page: Page, ...pictures: ReturnType<typeof picture>[]): Promise<void> {
  await add(page).setInputFiles(pictures);
  await sheet(page)
    .getByRole('button', { name: /^Add \d/ })
    .click();
  await expect(sheet(page)).toHaveCount(0);
}
const tiles = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).getByRole('link');

/** What is said of the photos that the browser has stored, which are sealed. Runs in the page. */
async function storedCaptions(): Promise<string[]> {
  const finished = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await finished(indexedDB.open('ute.photos'));
  const rows = await finished(database.transaction('waiting').objectStore('waiting').getAll());
  database.close();
  const { key } = rows.find((row) => row.key) ?? {};
  const sealed = rows.filter((row) => row.sealed);
  return Promise.all(
    sealed.map(async ({ photoId, account, iv, sealed: bytes }) => {
      const additionalData = new TextEncoder().encode(`${account} ${photoId}`);
      const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes);
      const length = new DataView(opened).getUint32(0);
      return JSON.parse(new TextDecoder().decode(opened.slice(4, 4 + length))).caption;
    }),
  );
}

/** The page of a job that its tradie works on. */
async function openWork(page: Page, account: Account) {
  const ask = await logInByApi(page, account);
  await postRequest(page, aCustomer('Burst pipe'), `/t/${account.slug}`);
  const list = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await expect.poll(async () => (await list()).jobs.length).toBe(1);
  const id = (await list()).jobs[0]?.id ?? '';
  await ask('PUT', `/jobs/${id}/accept`);
  await page.goto(`/jobs/details/${id}`);
  await expect(add(page)).toBeAttached();
  const photos = async () => (await ask<{ job: JobView }>('GET', `/jobs/${id}`)).job.photos;
  return { id, photos };
}

test('photos that are taken in a dead spot go up from another page, once each', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const { id, photos } = await openWork(page, account);
  await page.route('**/photos/**', (route) => route.abort());
  await addAll(page, picture('a.png', 300), picture('b.png', 200));
  await expect(page.getByText('2 waiting for signal.')).toBeVisible();
  await expect(page.getByText('Waiting', { exact: true })).toHaveCount(2);
  await expectAccessible(page);
  expect(await photos()).toEqual([]);

  await page.goto('/jobs/all?view=all');
  await page.unroute('**/photos/**');
  await page.reload();
  await expect.poll(async () => (await photos()).length).toBe(2);
  await page.goto(`/jobs/details/${id}`);
  await expect(tiles(page)).toHaveCount(2);
  await expect(page.getByText('waiting for signal')).toHaveCount(0);
  expect(new Set((await photos()).map((photo) => photo.id)).size).toBe(2);
});

test('photos that wait for the one before them do not wait for signal, and those that were sent have a tick', {
  tag: '@phone',
}, async ({ page, account }) => {
  await openWork(page, account);
  let taken = 0;
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/photos/**', async (route) => {
    taken += 1;
    if (taken > 1) await isReleased;
    await route.fallback();
  });
  await addAll(page, picture('a.png', 300), picture('b.png', 200), picture('c.png', 100));
  await expect(page.getByText('1 sent, 1 sending, 1 waiting.')).toBeVisible();
  const sent = page.getByRole('link', { name: 'Photo 1 of 1, before, sent' });
  await expect(sent.locator('.icon')).toBeVisible();
  release();
  await expect(tiles(page)).toHaveCount(3);
  await expect(page.getByText('You can leave this page.')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /, sent$/ })).toHaveCount(3);
  await expectAccessible(page);
  // Later they are photos like any other.
  await page.reload();
  await expect(tiles(page)).toHaveCount(3);
  await expect(page.getByRole('link', { name: /, sent$/ })).toHaveCount(0);
});

test('a photo shows when it was taken and what of; it is removed, and back by Undo', {
  tag: '@phone',
}, async ({ page, account }) => {
  const { photos } = await openWork(page, account);
  await addAll(page, picture('a.png', 300));
  await tiles(page).first().click();
  const viewer = page.getByRole('dialog', { name: /^Photos of/ });
  await viewer.getByRole('button', { name: 'Say what this photo shows' }).click();
  const shows = page.getByRole('dialog', { name: 'What this photo shows' });
  await expect(shows.getByRole('radio', { name: 'Before' })).toBeChecked();
  await shows.getByText('After', { exact: true }).click();
  await expect(shows.getByRole('radio', { name: 'After' })).toBeChecked();
  await shows.getByRole('textbox', { name: 'Caption' }).fill('The new valve');
  await expectAccessible(page);
  await shows.getByRole('button', { name: 'Save' }).click();
  await expect(shows).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Photo 1 of 1: The new valve, after' })).toBeVisible();
  await tiles(page).first().click();
  await expect(viewer).toContainText('The new valve');
  await expectAccessible(page);
  await viewer.getByRole('button', { name: 'Remove this photo' }).click();
  await expect(tiles(page)).toHaveCount(0);
  expect(await photos()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tiles(page)).toHaveCount(1);
  await expect.poll(photos).toMatchObject([{ stage: 'after', caption: 'The new valve' }]);
});

test('the viewer of an own photo has its count in a line and all its controls in sight with large text', {
  tag: '@phone',
}, async ({ page, account }) => {
  await openWork(page, account);
  await addAll(page, picture('a.png', 300));
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '160%';
  });
  await tiles(page).first().click();
  const viewer = page.getByRole('dialog', { name: /^Photos of/ });
  const count = await viewer.locator('.viewer__top p').boundingBox();
  expect(count?.height).toBeLessThan(60);
  for (const control of await viewer.locator('.viewer__top :is(button, a)').all()) {
    const { x = -1, width = 0 } = (await control.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(320);
  }
});

test('on a laptop the photos of a job are a grid of 4 to 3', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await openWork(page, account);
  await addAll(page, picture('a.png', 300));
  await expect(tiles(page)).toHaveCount(1);
  const { width = 0, height = 1 } = (await tiles(page).first().boundingBox()) ?? {};
  expect(width).toBeGreaterThanOrEqual(170);
  expect(width / height).toBeCloseTo(4 / 3, 1);
});

test('what is no picture says so, and is taken out', { tag: '@desktop' }, async ({ page, account }) => {
  await openWork(page, account);
  await addAll(page, { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pdf) });
  await expect(page.getByRole('alert').filter({ hasText: 'Use a PNG, JPEG or WebP image' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Take out this photo' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Use a PNG' })).toHaveCount(0);
});

test('photos are described before they go up: when, what of, which of them', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const { photos } = await openWork(page, account);
  await add(page).setInputFiles([picture('a.png', 300), picture('b.png', 200)]);
  await expect(sheet(page)).toHaveAccessibleName('2 photos');
  await expect(sheet(page)).toHaveAccessibleDescription(/^Going on with the job adds them too/);
  await expect(sheet(page)).toBeFocused();
  await expect(sheet(page).getByRole('radio', { name: 'Before' })).toBeChecked();
  await expectAccessible(page);
  await page.getByLabel('One more').setInputFiles(picture('c.png', 100));
  await expect(sheet(page).getByRole('button', { name: 'Add 3 photos' })).toBeVisible();
  await sheet(page).getByRole('button', { name: 'Take out photo 1' }).click();
  await expect(sheet(page)).toBeFocused();
  await sheet(page).getByRole('radio', { name: 'During' }).check({ force: true });
  await sheet(page).getByRole('textbox', { name: 'Caption' }).fill(' The old valve ');
  expect(await photos()).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(sheet(page)).toHaveCount(0);
  await expect(add(page)).toBeFocused();
  const old = { stage: 'during', caption: 'The old valve' };
  await expect.poll(photos).toMatchObject([old, old]);
});

test('photos that are being described go up as the page goes on, and are left out only by an answer or one by one', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const { photos } = await openWork(page, account);
  const caption = sheet(page).getByRole('textbox', { name: 'Caption' });
  const isTaken = async (...captions: string[]) =>
    expect.poll(async () => (await photos()).map((photo) => photo.caption)).toEqual(captions);
  const choose = async (said: string) => {
    await add(page).setInputFiles(picture('a.png', 300));
    await caption.fill(said);
  };
  const question = sheet(page).getByText('Add this photo to the job?');
  await choose('by Escape');
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(caption).toHaveValue('by Escape');
  await page.keyboard.press('Escape');
  await sheet(page).getByRole('button', { name: 'Add 1 photo' }).click();
  await isTaken('by Escape');
  await expect(add(page)).toBeFocused();

  await choose('left out');
  await sheet(page).getByRole('button', { name: 'Close' }).click();
  await sheet(page).getByRole('button', { name: 'Leave out' }).click();
  await expect(sheet(page)).toHaveCount(0);
  await expect(add(page)).toBeFocused();
  expect(await page.evaluate(storedCaptions)).toEqual([]);

  await choose('by Tab');
  await sheet(page).getByRole('button', { name: 'Add 1 photo' }).focus();
  await page.keyboard.press('Tab');
  await expect(sheet(page)).toHaveCount(0);
  await isTaken('by Escape', 'by Tab');

  await add(page).setInputFiles(picture('a.png', 300));
  await sheet(page).getByRole('button', { name: 'Take out photo 1' }).click();
  await expect(sheet(page)).toHaveCount(0);
  await expect(add(page)).toBeFocused();

  await choose('by a reload');
  await expect.poll(() => page.evaluate(storedCaptions)).toEqual(['by a reload']);
  await page.reload();
  await isTaken('by Escape', 'by Tab', 'by a reload');
  await expect(tiles(page)).toHaveCount(3);
});

test('another tab sends no photos that are being described', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  const { photos } = await openWork(page, account);
  await add(page).setInputFiles(picture('a.png', 300));
  await expect(sheet(page)).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await addAll(other, picture('b.png', 200));
  await expect.poll(async () => (await photos()).length).toBe(1);
  await other.close();
  await sheet(page).getByRole('textbox', { name: 'Caption' }).fill('Mine');
  await sheet(page).getByRole('button', { name: 'Add 1 photo' }).click();
  await expect.poll(async () => (await photos()).map(({ caption }) => caption)).toEqual(['', 'Mine']);
});
