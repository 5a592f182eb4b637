import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logIn, openJob } from '#tests/support/browser/browser.ts';

test('notes are saved as typing pauses and as the field is left, and undone to before it was entered', {
  tag: '@desktop',
}, async ({ page }) => {
  await openJob(page, 'Notes');
  const notes = page.getByRole('textbox', { name: 'Notes' });
  const saved = page.getByText(/^Saved \d+:\d\d[AP]M$/);
  await expect(notes).toHaveAttribute('rows', '5');
  await notes.fill('Side gate');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await expect(saved).toBeVisible();
  await notes.fill('Side gate, ring first');
  await notes.blur();
  await expect(saved).toBeVisible();
  await expect(page.getByRole('region', { name: 'Job history' })).toContainText('Side gate, ring first');
  await page.reload();
  await expect(notes).toHaveValue('Side gate, ring first');
  const story = page.getByRole('region', { name: 'Job history' }).getByRole('listitem');
  for (const text of ['Dog', 'Dog, bites']) {
    await notes.fill(text);
    // The history may have it before the answer that Undo goes by.
    await expect(saved).toBeVisible();
    await expect(story.filter({ hasText: 'You changed the notes' }).first()).toContainText(text);
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(notes).toHaveValue('Side gate, ring first');
  // Paper has all of them, whatever the field has room for.
  const long = Array.from({ length: 40 }, (_, line) => `Line ${line}`).join('\n');
  await notes.fill(long);
  await page.emulateMedia({ media: 'print' });
  await expect(notes).toBeHidden();
  const paper = page.locator('.on-paper');
  expect(await paper.evaluate((one) => one.getAttribute('data-text'))).toBe(long);
  expect((await paper.boundingBox())?.height).toBeGreaterThan(40 * 16);
});

test('without a network they are stored in the tab, and sent once it is back', { tag: '@phone' }, async ({
  page,
  context,
}) => {
  await openJob(page, 'No signal');
  const notes = page.getByRole('textbox', { name: 'Notes' });
  await context.setOffline(true);
  await notes.fill('Meter box is behind the shed');
  await notes.blur();
  await expect(page.getByText('Not saved. Kept in this tab and sent when you’re back online.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^Saved /)).toBeVisible();
  await page.reload();
  await expect(notes).toHaveValue('Meter box is behind the shed');
});

test('a note that another tab changed meanwhile is laid beside the own one', { tag: '@desktop' }, async ({
  page,
  context,
}) => {
  await openJob(page, 'Two tabs');
  const other = await context.newPage();
  await other.goto(page.url());
  const theirs = other.getByRole('textbox', { name: 'Notes' });
  await expect(theirs).toBeVisible();
  await page.route('**/api/jobs/*', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  );
  await theirs.fill('Front door');
  await theirs.blur();
  await expect(other.getByText(/^Saved /)).toBeVisible();
  const mine = page.getByRole('textbox', { name: 'Notes' });
  await mine.fill('Side gate');
  await mine.blur();
  const offer = page.getByRole('alert');
  await expect(offer).toContainText('Front door');
  await expect(mine).toHaveValue('Side gate');
  await page.getByRole('button', { name: 'Save mine instead' }).click();
  await expect(theirs).toHaveValue('Side gate');
});

test('a status and a note from two tabs are both saved', { tag: '@desktop' }, async ({ page, context }) => {
  await openJob(page, 'Both');
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('textbox', { name: 'Notes' }).fill('Front door');
  await page.getByRole('combobox', { name: 'Job status' }).click();
  await page.getByRole('option', { name: 'Quoted' }).click();
  await expect(other.getByText(/^Saved /)).toBeVisible();
  await expect(other.getByRole('combobox', { name: 'Job status' })).toHaveText('Job status Quoted');
  await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Front door');
});

test('a session that ends while a note is typed brings it back after signing in', { tag: '@phone' }, async ({
  page,
}) => {
  await openJob(page, 'Session');
  await page.route('**/api/jobs/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 403, json: { status: 'error', message: 'Session timed out' } })
      : route.continue(),
  );
  const notes = page.getByRole('textbox', { name: 'Notes' });
  await notes.fill('Ring twice');
  await expect(page.getByRole('alert')).toHaveText('Session timed out');
  await page.unroute('**/api/jobs/*');
  await logIn(page);
  await expect(notes).toHaveValue('Ring twice');
  await expect(page.getByText(/^Saved /)).toBeVisible();
});
