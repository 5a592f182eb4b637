import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi, openJob } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';

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
  const difference = await page.getByText('Status: Pending to To quote').boundingBox();
  expect(difference?.y).toBeLessThan((await slider(page).boundingBox())?.y ?? 0);

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

const banner = (page: Page) => page.getByRole('region', { name: 'Moment' });
const stood = (page: Page) => page.getByRole('article');

/** A business whose one job was looked at before it was quoted; answers when that was. */
async function quoteLater(page: Page, login: Parameters<typeof logInByApi>[1]): Promise<string> {
  const ask = await logInByApi(page, login);
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', aNewJob({ title: 'Leaking tap' }));
  const at = await page.evaluate(() => new Date().toISOString());
  await expect.poll(() => page.evaluate(() => new Date().toISOString())).not.toBe(at);
  await ask('PUT', `/jobs/${job.id}`, { status: 'Quoted' });
  return at;
}

test('the board of a business is looked at as it stood, without anything to do', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const at = await quoteLater(page, account);
  await page.goto('/jobs/all?view=all');
  await expect(stood(page)).toContainText('Quoted');
  await page.getByRole('link', { name: 'As it stood' }).click();
  await expect(banner(page)).toContainText(/^Board at .*, log [\d,]+You only look, nothing changes\./);
  await expect(stood(page)).toContainText('Quoted');

  await page.goto(`/jobs/as-at?at=${at}&view=all`);
  await expect(stood(page)).toContainText('To quote');
  await expect(stood(page).getByRole('button')).toHaveCount(0);
  await expect(stood(page).getByRole('link')).toHaveCount(1);
  const lists = page.getByRole('navigation', { name: 'Lists at that moment' });
  await expect(lists.getByRole('link')).toHaveText(['Today0', 'New1', 'In progress0', 'All jobs1']);
  await expect(lists.getByRole('link', { name: 'All jobs' })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await lists.getByRole('link', { name: 'In progress' }).click();
  await expect(page.getByRole('heading', { name: 'No jobs then' })).toBeVisible();
  await expect(page).toHaveURL(`/jobs/as-at?at=${at}&view=in-progress`);
  await expectAccessible(page);
  await page.goBack();
  await stood(page).getByRole('link').click();
  await expect(state(page)).toContainText('To quote');
});

test('a moment is chosen by the keyboard, and one that has not come is refused', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await quoteLater(page, account);
  await page.goto('/profile?panel=proof');
  await page.getByRole('link', { name: 'Choose a moment' }).press('Enter');
  await expect(stood(page)).toContainText('Quoted');
  const earlier = page.getByRole('button', { name: 'One day earlier' });
  await earlier.press('Enter');
  await expect(page.getByRole('heading', { name: 'No jobs then' })).toBeVisible();
  await expect(earlier).toBeFocused();
  await page.getByRole('button', { name: 'One day later' }).press('Enter');
  await expect(stood(page)).toContainText('Quoted');
  const shown = page.url();
  await page.getByLabel('Day', { exact: true }).fill('2020-01-31');
  await page.getByLabel('Time', { exact: true }).fill('09:05');
  await page.getByLabel('Time', { exact: true }).press('Enter');
  await expect(banner(page)).toContainText('Board at Fri 31 Jan 2020, 9:05AM, log 0');
  expect(new URL(page.url()).searchParams.get('at')).toBe('2020-01-30T22:05:00.000Z');
  await page.goBack();
  await expect(page).toHaveURL(shown);
  await expect(stood(page)).toContainText('Quoted');
  await page.getByLabel('Day', { exact: true }).fill('2099-01-01');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('alert')).toHaveText('Choose a moment that has passed.');
  await expectAccessible(page);
});

test('a board that cannot be loaded can be tried again', { tag: '@phone' }, async ({ page, account }) => {
  await quoteLater(page, account);
  const first = /\/api\/jobs\?at=/;
  await page.route(first, (route) =>
    route.fulfill({ status: 409, json: { status: 'error', message: 'Boards take a break' } }),
  );
  await page.goto('/jobs/as-at');
  await expect(page.getByText('Boards take a break')).toBeVisible();
  await page.unroute(first);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(stood(page)).toContainText('Quoted');
});
