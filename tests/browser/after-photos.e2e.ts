import { expect, type Locator, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { aTypedJob, logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { png } from '#tests/support/scenarios/files.ts';

const asked = (page: Page) => page.getByRole('dialog', { name: 'Add after photos?' });
const step = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Undo in the toast of a change: the toast before may still be going. */
const undoOf = (page: Page, change: string) =>
  page.getByRole('listitem').filter({ hasText: change }).getByRole('button', { name: 'Undo' });
const picture = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png(300, 200)) };

/** The page of a job of that status. */
async function openWork(page: Page, account: Account, status: JobView['status']) {
  const ask = await logInByApi(page, account);
  const { job } = await ask<{ job: JobView }>('POST', '/jobs', aTypedJob('Finished'));
  await ask('PUT', `/jobs/${job.id}`, { status });
  await page.goto(`/jobs/details/${job.id}`);
  await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveText(`Job status ${status}`);
  return { photos: async () => (await ask<{ job: JobView }>('GET', `/jobs/${job.id}`)).job.photos };
}

/** The toast of what led to the sheet is still there, and covers none of the sheet's controls. */
async function expectToastAbove(sheet: Locator): Promise<void> {
  const toast = sheet.page().locator('.toast');
  await expect(toast).toBeVisible();
  const isAbove = async () => {
    const [above, below] = [await toast.boundingBox(), await sheet.boundingBox()];
    return above !== null && below !== null && above.y >= 0 && above.y + above.height <= below.y;
  };
  await expect.poll(isAbove).toBe(true);
}

async function choose(page: Page, status: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Job status' }).click();
  await page.getByRole('option', { name: status }).click();
}

test('a job that is completed asks for after photos, below its toast and by keyboard, once in a browser', async ({
  page,
  account,
  isMobile,
}) => {
  await openWork(page, account, 'In progress');
  await step(page, 'Mark completed').press('Enter');
  await expect(asked(page)).toBeFocused();
  await expect(asked(page)).toHaveAccessibleDescription(/^They show the work as you left it/);
  await expect(page.getByText('Completed, was In progress')).toBeVisible();
  await expectAccessible(page);
  if (isMobile) {
    await expectToastAbove(asked(page));
    await expect(step(page, 'Invoice sent')).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press('Escape');
  await expect(asked(page)).toHaveCount(0);
  await expect(step(page, 'Invoice sent')).toBeFocused();

  await page.reload();
  await choose(page, 'In progress');
  await step(page, 'Mark completed').click();
  await expect(page.getByText('Completed, was In progress')).toBeVisible();
  await expect(step(page, 'Invoice sent')).toBeVisible();
  await expect(asked(page)).toHaveCount(0);
});

test('the photos that are added then are after photos, and a job that has some is not asked for', {
  tag: '@phone',
}, async ({ page, account }) => {
  const { photos } = await openWork(page, account, 'In progress');
  await step(page, 'Mark completed').click();
  const camera = page.waitForEvent('filechooser');
  await asked(page).getByText('Add photos').tap();
  await (await camera).setFiles(picture);
  const sheet = page.getByRole('dialog', { name: '1 photo' });
  await expect(sheet.getByRole('radio', { name: 'After' })).toBeChecked();
  await expect(asked(page)).toHaveCount(0);
  await expectToastAbove(sheet);
  await sheet.getByRole('button', { name: 'Add 1 photo' }).click();
  await expect.poll(photos).toMatchObject([{ stage: 'after' }]);

  await page.evaluate(() => localStorage.removeItem('ute.after-photos'));
  await choose(page, 'In progress');
  await step(page, 'Mark completed').click();
  await expect(page.getByText('Completed, was In progress')).toBeVisible();
  await expect(step(page, 'Invoice sent')).toBeVisible();
  await expect(asked(page)).toHaveCount(0);
});

test('the question stands in no way: the next press does what it always does, and Undo ends it', {
  tag: '@phone',
}, async ({ page, account }) => {
  await openWork(page, account, 'In progress');
  await choose(page, 'Completed');
  await expect(asked(page)).toBeVisible();
  await undoOf(page, 'Completed, was In progress').tap();
  await expect(page.getByText('Your change was undone')).toBeVisible();
  await expect(asked(page)).toHaveCount(0);

  await page.evaluate(() => localStorage.removeItem('ute.after-photos'));
  await step(page, 'Mark completed').tap();
  await expect(asked(page)).toBeVisible();
  await step(page, 'Invoice sent').tap();
  await expect(page.getByText('Invoice sent, was Completed')).toBeVisible();
  await expect(asked(page)).toHaveCount(0);

  // Completed again by Undo alone.
  await page.evaluate(() => localStorage.removeItem('ute.after-photos'));
  await undoOf(page, 'Invoice sent, was Completed').tap();
  await expect(step(page, 'Invoice sent')).toBeVisible();
  await expect(page.getByText('Your change was undone')).toBeVisible();
  await expect(asked(page)).toHaveCount(0);
});
