import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  demo,
  fillRequest,
  logInByApi,
  messageTo,
  publicForm,
} from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { png } from '#tests/support/scenarios/files.ts';

const fileOf = (name: string, bytes: string | Uint8Array) => ({
  ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes as string) },
});
const plan = fileOf('plan.pdf', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const chooser = (page: Page) => page.locator('input[type="file"]');
const listed = (page: Page) => page.getByRole('list', { name: 'Your photos' }).getByRole('listitem');

test('a photo that cannot go up holds no request: it is missing on both sides, in words', {
  tag: '@phone',
}, async ({ page }) => {
  const customer = aCustomer('Without the photo');
  await page.clock.install();
  let tries = 0;
  await page.route('**/media?*', async (route) => {
    tries += 1;
    if (tries === 1) await route.continue();
  });
  await page.goto(publicForm());
  await fillRequest(page, customer);
  await chooser(page).setInputFiles([plan]);
  await expect(listed(page)).toHaveText(['plan.pdf', 'Add more']);
  await chooser(page).setInputFiles([fileOf('leak.png', png(300, 200))]);
  const without = page.getByRole('button', { name: 'Send without the photos' });
  await page.getByRole('button', { name: 'Send to Acme Plumbing' }).click();
  await expect.poll(() => tries).toBe(2);
  await page.clock.fastForward(9_000);
  await expect(without).toBeHidden();
  await page.clock.fastForward(1_000);
  await expect(without).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('alert')).toContainText('still going up');
  await expectAccessible(page);
  await without.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sent to Acme Plumbing' })).toBeVisible();
  await expect(page.getByText('1 photo did not come through')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Photo 1 of 1' })).toHaveCount(0);
  await expectAccessible(page);

  const { text } = await messageTo(page, customer.email, 'has arrived');
  expect(text).toContain('1 photo did not come through');
  const ask = await logInByApi(page, demo());
  const search = new URLSearchParams({ search: customer.title });
  const found = async () => (await ask<{ jobs: { id: string }[] }>('GET', `/jobs?${search}`)).jobs[0]?.id;
  await expect.poll(found).toBeDefined();
  await page.goto(`/jobs/details/${await found()}`);
  await expect(page.getByRole('link', { name: 'plan.pdf' })).toBeVisible();
  await expect(page.getByText('1 photo did not come through: ask for it')).toBeVisible();
});

test('a photo that waited when the page was left goes up from there, or is named', { tag: '@phone' }, async ({
  page,
}) => {
  let isDown = true;
  await page.route('**/media?*', (route) => (isDown ? route.abort() : route.continue()));
  await page.goto(publicForm());
  await page.getByLabel('In a few words').fill('Left too soon');
  await chooser(page).setInputFiles([fileOf('leak.png', png(300, 200))]);
  await expect(listed(page)).toHaveText(['leak.pngWaiting', 'Add more']);
  const draft = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await expect.poll(draft).toContain('stored');
  await page.reload();
  await expect(listed(page)).toHaveText(['leak.pngWaiting', 'Add more']);
  isDown = false;
  await page.reload();
  await expect(listed(page)).toHaveText(['leak.png', 'Add more']);
  await expect.poll(draft).not.toContain('stored');

  isDown = true;
  await chooser(page).setInputFiles([plan]);
  await expect(listed(page)).toHaveText(['leak.png', 'plan.pdfWaiting', 'Add more']);
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  await page.reload();
  await expect(listed(page)).toHaveText(['leak.png', 'Add more']);
  await expect(
    page.getByText('plan.pdf: Not sent before the page was left, please add it again'),
  ).toBeVisible();
});
