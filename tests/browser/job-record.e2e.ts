import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { checkRecord } from '#core/proof/check.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { openJob } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const history = (page: Page) => page.getByRole('region', { name: 'Job history' });

/** Counts what would have been printed: a test's browser has no dialog for it. */
async function watchPrinting(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let printed = 0;
    window.print = () => {
      printed += 1;
      document.documentElement.dataset['printed'] = String(printed);
    };
  });
  return async () => Number((await page.locator('html').getAttribute('data-printed')) ?? 0);
}

test('a record is printed and saved: one file, whose fingerprint stands on the paper', {
  tag: '@desktop',
}, async ({ page }) => {
  const printed = await watchPrinting(page);
  const job = await openJob(page, 'Record');
  await job.ask('PUT', `/jobs/${job.id}`, { notes: 'Charge more' });
  await history(page).getByRole('link', { name: 'Job record' }).click();
  await expect(page.getByRole('heading', { name: 'Job record' })).toBeVisible();
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows.filter({ hasText: 'Accepted. Status Pending to To quote' })).toBeVisible();
  await expect(rows.filter({ hasText: 'Notes written, 11 characters' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.getByText('How to check this')).toBeVisible();
  await expect.poll(printed).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.ute-record\.json$/);
  const bytes = readFileSync(await file.path());
  const fingerprint = createHash('sha256')
    .update(bytes)
    .digest('hex')
    .replace(/.{8}(?!$)/g, '$& ');
  await expect(page.getByText(fingerprint)).toBeVisible();
  expect(checkRecord(bytes.toString()).outcome).toBe('fits-itself');
  expect(bytes.toString()).not.toContain('Charge more');
  await expectAccessible(page);

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  const { height, lines } = await page.getByRole('columnheader', { name: 'No.' }).evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return {
      height: range.getBoundingClientRect().height,
      lines: Number.parseFloat(getComputedStyle(cell).lineHeight),
    };
  });
  expect(height).toBeLessThan(lines * 1.5);
  const pages = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type \/Page\b/g);
  expect(pages).toHaveLength(1);
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('link', { name: job.title }).click();
  await expect(history(page).getByText('made a record of the job')).toHaveCount(1);
});

test('a record with the notes is another file', { tag: '@phone' }, async ({ page }) => {
  const job = await openJob(page, 'Record');
  await job.ask('PUT', `/jobs/${job.id}`, { notes: 'Charge more' });
  await page.goto(`/jobs/details/${job.id}/record`);
  await page.getByText('For you, with notes').click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the file' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('Charge more');
  await expect(page.getByRole('button', { name: 'Save the file' })).toBeFocused();
  await expect(page.getByText('How to check this')).toBeVisible();
  await page.getByText('For the customer').click();
  await expect(page.getByText('How to check this')).toBeHidden();
  await expectAccessible(page);
});

test('a record that cannot be made says why, and can be made again', { tag: '@phone' }, async ({ page }) => {
  const job = await openJob(page, 'Record');
  const path = /\/api\/jobs\/[0-9a-f-]{36}\/record$/;
  await page.route(path, (route) =>
    route.fulfill({ status: 503, json: { status: 'error', message: 'Nothing signs just now' } }),
  );
  await page.goto(`/jobs/details/${job.id}/record`);
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.getByText('Nothing signs just now')).toBeVisible();
  await page.unroute(path);
  await page.getByRole('button', { name: 'Save the file' }).click();
  await expect(page.getByText('How to check this')).toBeVisible();
});

test('a job that no business has leaves no record', { tag: '@phone' }, async ({ page }) => {
  await openJob(page, 'Record');
  await page.goto('/jobs/details/00000000-0000-7000-8000-000000000000/record');
  await expect(page.getByRole('heading', { name: 'There is no record' })).toBeVisible();
  await expectAccessible(page);
});

test('a paid job leads to its record', { tag: '@phone' }, async ({ page }) => {
  const job = await openJob(page, 'Record');
  await job.ask('PUT', `/jobs/${job.id}`, { status: 'Paid' });
  await page.reload();
  await page.getByRole('link', { name: 'Print record' }).click();
  await expect(page.getByRole('heading', { name: 'Job record' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Status To quote to Paid' })).toBeVisible();
});
