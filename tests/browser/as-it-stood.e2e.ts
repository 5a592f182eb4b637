import { expect, type Page, test } from '@playwright/test';
import { openJob } from '#tests/support/browser-jobs.ts';
import { expectAccessible } from '#tests/support/browser-page.ts';

const state = (page: Page) => page.getByRole('region', { name: 'The job at that moment' });
const slider = (page: Page) => page.getByRole('slider', { name: 'Change' });
const change = (page: Page, name: RegExp) => page.getByRole('radio', { name });

/** A job that was asked for, accepted, quoted and noted, at its changes. */
async function openChanges(page: Page) {
  const job = await openJob(page, 'As it stood');
  await job.ask('PUT', `/jobs/${job.id}`, { status: 'Quoted' });
  await job.ask('PUT', `/jobs/${job.id}`, { notes: 'Side gate' });
  await page.reload();
  await page.getByRole('region', { name: 'Job history' }).getByRole('link', { name: 'As it stood' }).click();
  await expect(state(page)).toContainText('Side gate');
  return job;
}

test('a job is looked at as it stood after each change, by the list and by the slider', {
  tag: '@phone',
}, async ({ page }) => {
  const job = await openChanges(page);
  await expect(page.getByRole('heading', { level: 1, name: job.title })).toBeVisible();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^Change 4 of 4, .* You wrote notes$/);
  await expectAccessible(page);

  await page.getByText(/^You accepted it/).click();
  await expect(state(page)).toContainText('To quote');
  await expect(state(page)).toContainText('None yet');
  await expect(slider(page)).toHaveValue('2');
  await expect(page).toHaveURL(/\/as-at\?at=1$/);
  await expect(page.getByText('Status: Pending to To quote')).toBeVisible();

  await page.getByRole('button', { name: 'One change later' }).click();
  await expect(state(page)).toContainText('Quoted');
  await expect(change(page, /^You changed To quote to Quoted/)).toBeChecked();
  await page.reload();
  await expect(slider(page)).toHaveValue('3');
  await expect(state(page)).toContainText('Quoted');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Print this state' }).click();
  await expect(page.getByText(/^As at /)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Notes written' })).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: 'Status To quote to Quoted' })).toBeVisible();
});

test('arrows, Home and End move through the changes, in the list as on the slider', {
  tag: '@desktop',
}, async ({ page }) => {
  await openChanges(page);
  await slider(page).focus();
  await page.keyboard.press('Home');
  await expect(change(page, /sent this from your job form/)).toBeChecked();
  await page.keyboard.press('ArrowRight');
  await expect(slider(page)).toHaveValue('2');
  await change(page, /^You accepted it/).focus();
  await page.keyboard.press('End');
  await expect(change(page, /^You wrote notes/)).toBeFocused();
  await expect(slider(page)).toHaveValue('4');
  await page.keyboard.press('ArrowUp');
  await expect(slider(page)).toHaveValue('3');
  await page.keyboard.press('Home');
  await expect(state(page)).toContainText('Pending');
  await expectAccessible(page);
});

test('a state that cannot be loaded can be tried again', { tag: '@phone' }, async ({ page }) => {
  await openChanges(page);
  const first = /\/api\/jobs\/[0-9a-f-]{36}\?at=0$/;
  await page.route(first, (route) =>
    route.fulfill({ status: 409, json: { status: 'error', message: 'States take a break' } }),
  );
  await page.getByText(/sent this from your job form/).click();
  await expect(page.getByText('States take a break')).toBeVisible();
  await page.unroute(first);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(state(page)).toContainText('Pending');
});
