import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const sample = 'tests/support/log/sample.ute-record';
/** Of the log of the sample: `tests/support/log/sample-record.ts`. */
const key = 'jobs.example.com/log/7f3a91c2+53257636+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs';

/** What a customer of it has: the line of a receipt from before the last event. */
const receipt = 'Log 7 · 8dsS3PnIUlxD0nncwP//mlJdZroSwN9ndew79jIdA4A=';

const items = (page: Page, heading: string) =>
  page.getByRole('heading', { name: heading, level: 3 }).locator('xpath=..').getByRole('listitem');

test.afterEach(({ context }) => context.setOffline(false));

test('a record is checked on the page, and nothing is sent anywhere', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/check');
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  // A font that figures need is no answer to what was chosen.
  page.on('request', (request) => request.resourceType() !== 'font' && requests.push(request.url()));
  await page.context().setOffline(true);
  await page.getByLabel('Job record').setInputFiles(sample);
  await expect(page.getByRole('heading', { name: 'Nothing backs this record up yet' })).toBeVisible();
  await expect(
    items(page, 'Only said by the key in this record').filter({ hasText: 'Name: Zoë Smith' }),
  ).toBeVisible();
  await page.getByLabel('Or paste the line').fill(`The key is ${key}`);
  await expect(page.getByText('We found nothing to compare with in what you added')).toBeVisible();
  await page.getByLabel('Or paste the line').fill(receipt);
  await expect(page.getByRole('heading', { name: 'Only part of this record is backed up' })).toBeVisible();
  await expect(items(page, 'Proven').filter({ hasText: 'accepted the job' })).toBeVisible();
  await expect(items(page, 'Only said by the key in this record').first()).toContainText('the first 7');
  await expect(page.getByText('Event 1 is number 4 of the log')).toBeHidden();
  await expectAccessible(page);
  await page.getByLabel('Or paste the line').fill(`${receipt}\n${key}`);
  await expect(page.getByRole('heading', { name: 'This record fits', exact: true })).toBeVisible();
  await expect(items(page, 'Proven').filter({ hasText: 'Name: Zoë Smith' })).toBeVisible();
  await expect(items(page, 'Said by Ute').first()).toContainText('No event of this job follows');
  await page.getByText('Numbers and hashes').click();
  await expect(page.getByText('Event 1 is number 4 of the log')).toBeVisible();
  await expectAccessible(page);
  expect(requests.filter((url) => !url.startsWith('blob:'))).toEqual([]);
});

test('a changed record does not fit, dropped or chosen', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/check');
  const buffer = Buffer.from(readFileSync(sample, 'utf8').replace('Zoë Smith', 'Zoe Smith'));
  await page
    .getByLabel('Job record')
    .setInputFiles({ name: 'a.ute-record.json', mimeType: 'application/json', buffer });
  await expect(page.getByRole('heading', { name: 'This record does not fit' })).toBeVisible();
  await expect(items(page, 'Does not fit').first()).toHaveText('Name is not what was sealed.');
  await expectAccessible(page);
});

test(
  'the page works when it is saved to a disk',
  { tag: '@desktop' },
  async ({ page, browser }, testInfo) => {
    await page.goto('/check');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save this page' }).click();
    const file = testInfo.outputPath('check.html');
    await (await download).saveAs(file);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('/_astro/');
    expect(gzipSync(text.slice(text.indexOf('<script'))).length).toBeLessThan(20 * 1_024);
    const context = await browser.newContext({ offline: true });
    const saved = await context.newPage();
    await saved.goto(`file://${file}`);
    await saved.getByLabel('Job record').setInputFiles(sample);
    await expect(saved.getByRole('heading', { name: 'Nothing backs this record up yet' })).toBeVisible();
    await expect(items(saved, 'Only said by the key in this record').first()).toBeVisible();
    await context.close();
  },
);
