import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { openJob } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const status = (page: Page) => page.getByRole('combobox', { name: 'Job status' });
const toasts = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Job updated successfully' });

async function choose(page: Page, name: string): Promise<void> {
  await status(page).click();
  await page.getByRole('option', { name }).click();
}

/** The sheet of the job's time, opened. */
async function openSchedule(page: Page): Promise<Locator> {
  const schedule = page.getByRole('button', { name: /^Schedule/ }).filter({ visible: true });
  await schedule.first().click();
  return page.getByRole('dialog');
}

/** Where an element ends up once it moves no more. */
async function boxOf(element: Locator) {
  await element.evaluate((node) =>
    Promise.allSettled(node.getAnimations().map((animation) => animation.finished)),
  );
  const box = await element.boundingBox();
  if (!box) throw new Error('not drawn');
  return { ...box, bottom: box.y + box.height };
}

test('a job has one toast: it says what the last change was, and Ctrl+Z takes that one back', {
  tag: '@desktop',
}, async ({ page }) => {
  await openJob(page, 'One toast');
  await choose(page, 'Quoted');
  await expect(toasts(page)).toContainText('Quoted, was To quote');
  await expect(status(page)).toBeFocused();
  await choose(page, 'Paid');
  await expect(toasts(page).getByRole('status').filter({ hasText: 'Paid, was Quoted' })).toBeVisible();
  await expect(toasts(page)).toHaveCount(1);
  await expect(status(page)).toBeFocused();
  expect((await boxOf(toasts(page))).y).toBe(30);
  await expectAccessible(page);
  await page.keyboard.press('Control+z');
  await expect(status(page)).toHaveText(/Quoted/);
  await expect(page.getByText('Your change was undone')).toBeVisible();
  // No toast offers another Undo.
  await page.keyboard.press('Control+z');
  await expect(toasts(page)).toHaveCount(0);
  await expect(status(page)).toHaveText(/Quoted/);
});

test('in a field Ctrl+Z takes back what was typed, and leaves the change of the toast', {
  tag: '@desktop',
}, async ({ page }) => {
  await openJob(page, 'Typing');
  await choose(page, 'Quoted');
  await expect(toasts(page)).toHaveCount(1);
  const notes = page.getByRole('textbox', { name: 'Notes' });
  await notes.pressSequentially('x');
  await page.keyboard.press('Control+z');
  await expect(notes).toHaveValue('');
  await expect(status(page)).toHaveText(/Quoted/);
});

test('on a phone what a change was fits in a line', { tag: '@phone' }, async ({ page }) => {
  await openJob(page, 'Second line');
  await choose(page, 'In progress');
  await choose(page, 'Completed');
  const second = toasts(page).getByText('Completed, was In progress');
  await expect(second).toBeVisible();
  const lines = await second.evaluate((line) => {
    const range = document.createRange();
    range.selectNodeContents(line);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
});

test('on a phone it is above the tabs with their lifted button, and a swipe down closes it', {
  tag: '@phone',
}, async ({ page }) => {
  const { title } = await openJob(page, 'Swiped', { accepted: false });
  await page.goto(`/jobs/all?view=all&search=${encodeURIComponent(title)}`);
  await page.getByRole('button', { name: /^Accept/ }).click();
  const accepted = page.getByRole('listitem').filter({ hasText: 'Job has been accepted!' });
  await expect(accepted).toBeVisible();
  await expectAccessible(page);
  const add = page.getByRole('navigation', { name: 'Main' }).locator('.tabbar__add > span');
  const [toast, under] = [await boxOf(accepted), await boxOf(add)];
  expect(under.y - toast.bottom).toBeGreaterThanOrEqual(12);
  expect(under.y - toast.bottom).toBeLessThan(16);
  await page.mouse.move(toast.x + 60, toast.y + 20);
  await page.mouse.down();
  await page.mouse.move(toast.x + 60, toast.y + 60, { steps: 4 });
  await page.mouse.move(toast.x + 60, toast.y + 120, { steps: 4 });
  await page.mouse.up();
  await expect(accepted).toHaveCount(0);
});

test('on a phone it covers none of the statuses while they are open', { tag: '@phone' }, async ({ page }) => {
  await openJob(page, 'Corrected');
  await choose(page, 'Quoted');
  await expect(toasts(page)).toBeVisible();
  await status(page).click();
  await expect(page.getByRole('option')).toHaveCount(7);
  await expect(page.getByText('Quoted, was To quote')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Quoted, was To quote')).toBeVisible();
});

test('an accept names the customer and the suburb, and an update that failed goes once one succeeds', {
  tag: '@desktop',
}, async ({ page }) => {
  const { name } = await openJob(page, 'Accepted', { accepted: false });
  await page
    .getByRole('button', { name: /^Accept/ })
    .filter({ visible: true })
    .first()
    .click();
  const accepted = page.getByRole('listitem').filter({ hasText: 'Job has been accepted!' });
  await expect(accepted).toContainText(name);
  await page.route(/\/api\/jobs\/[0-9a-f-]{36}$/, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await choose(page, 'Quoted');
  await expect(page.getByText('Error updating job')).toBeVisible();
  await page.unroute(/\/api\/jobs\/[0-9a-f-]{36}$/);
  await choose(page, 'Quoted');
  await expect(page.getByText('Error updating job')).toHaveCount(0);
  await expect(toasts(page)).toContainText('Quoted, was To quote');
});

test('what shows toasts is loaded with the first touch of the page, and without it the words are there', {
  tag: '@phone',
}, async ({ page }) => {
  const { title } = await openJob(page, 'Plain words', { accepted: false });
  const asked: string[] = [];
  await page.route(/\/_astro\/Toasts\./, (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.goto(`/jobs/all?view=all&search=${encodeURIComponent(title)}`);
  const accept = page.getByRole('button', { name: /^Accept/ });
  await expect(accept).toBeVisible();
  expect(asked).toEqual([]);
  await accept.click();
  await expect(page.getByRole('status').filter({ hasText: 'Job has been accepted!' })).toBeVisible();
  expect(asked).not.toEqual([]);
});

/** Whether what is drawn at the middle of an element is that element. */
const isOnTop = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

/** The names of what has the focus, Tab by Tab. */
async function tabbedThrough(page: Page, most: number): Promise<string[]> {
  const names: string[] = [];
  for (let at = 0; at < most; at++) {
    await page.keyboard.press('Tab');
    names.push(
      await page.evaluate(() => {
        const at = document.activeElement;
        return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
      }),
    );
  }
  return names;
}

test('over a sheet it is in sight and in the reach of Tab, and covers none of the sheet’s own head', async ({
  page,
}) => {
  await openJob(page, 'Over a sheet');
  await choose(page, 'Quoted');
  const undo = toasts(page).getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  const sheet = await openSchedule(page);
  await expect(sheet).toBeVisible();
  await expect(sheet.getByText('Quoted, was To quote')).toBeVisible();
  const close = sheet.getByRole('button', { name: 'Close' });
  await boxOf(toasts(page));
  expect(await isOnTop(undo), 'Undo').toBe(true);
  expect(await isOnTop(close), 'the way to close the sheet').toBe(true);
  expect(await isOnTop(sheet.getByRole('heading').first()), 'what the sheet is').toBe(true);
  await close.focus();
  expect(await tabbedThrough(page, 60)).toEqual(expect.arrayContaining(['Undo', 'Dismiss', 'Close']));
  await expectAccessible(page);
  await undo.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your change was undone')).toBeVisible();
  await expect(sheet).toBeVisible();
  // The toast of what was undone has gone with its button.
  await expect(undo).toHaveCount(0);
  expect(await sheet.evaluate((open) => open.contains(document.activeElement)), 'focus stays in it').toBe(
    true,
  );
});

test('without what shows toasts the words are over a sheet, too', { tag: '@phone' }, async ({ page }) => {
  await openJob(page, 'Plain over a sheet');
  await page.route(/\/_astro\/Toasts\./, (route) => route.abort());
  await page.goto(page.url());
  await choose(page, 'Quoted');
  const words = page.getByRole('status').filter({ hasText: 'Job updated successfully' });
  await expect(words).toBeVisible();
  const sheet = await openSchedule(page);
  await expect(sheet.getByRole('status').filter({ hasText: 'Job updated successfully' })).toBeVisible();
  expect(await isOnTop(sheet.locator('.toasts .toast')), 'the words').toBe(true);
});
