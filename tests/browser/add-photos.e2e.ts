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
const tiles = (page: Page) => page.getByRole('list', { name: 'Photos', exact: true }).getByRole('link');

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

test('photos that are taken in a dead spot go up from another page, once each', async ({ page, account }) => {
  const { id, photos } = await openWork(page, account);
  await page.route('**/photos/**', (route) => route.abort());
  await add(page).setInputFiles([picture('a.png', 300), picture('b.png', 200)]);
  await expect(page.getByText('2 waiting for signal.')).toBeVisible();
  await expect(page.getByText('Waiting', { exact: true })).toHaveCount(2);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
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

test('a photo shows when it was taken and what of; it is removed, and back by Undo', async ({
  page,
  account,
}) => {
  const { photos } = await openWork(page, account);
  await add(page).setInputFiles(picture('a.png', 300));
  await tiles(page).first().click();
  const viewer = page.getByRole('dialog', { name: /^Photos of/ });
  await viewer.getByRole('button', { name: 'Say what this photo shows' }).click();
  const sheet = page.getByRole('dialog', { name: 'What this photo shows' });
  await expect(sheet.getByRole('radio', { name: 'Before' })).toBeChecked();
  await sheet.getByRole('radio', { name: 'After' }).check({ force: true });
  await sheet.getByRole('textbox', { name: 'Caption' }).fill('The new valve');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet).toHaveCount(0);
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

test('what is no picture says so, and is taken out', async ({ page, account }) => {
  await openWork(page, account);
  await add(page).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pdf) });
  await expect(page.getByRole('alert').filter({ hasText: 'Use a PNG, JPEG or WebP image' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Take out this photo' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Use a PNG' })).toHaveCount(0);
});
