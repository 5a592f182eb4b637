import { expect, type Locator, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi, openJob } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const label = 'Schedule job date and time';

/** The form at 12:10 on a Monday in Melbourne; in the browser's own zone it is still Sunday. */
async function openForm(page: Page): Promise<void> {
  await logInByApi(page, demo());
  await page.clock.setFixedTime('2026-01-05T01:10:00Z');
  await page.goto('/jobs/add');
}

/** The picker: behind its button on a phone, laid open on a laptop. */
async function openPicker(page: Page, isMobile: boolean): Promise<Locator> {
  await openForm(page);
  if (isMobile) await page.getByRole('button', { name: `${label} Not scheduled yet` }).click();
  return page.getByRole('group', { name: label });
}

test('days before today and earlier months are closed, weeks begin on Monday, times are half hours of the day', {
  tag: '@desktop',
}, async ({ page, isMobile }) => {
  const picker = await openPicker(page, isMobile);
  await expect(picker.getByRole('grid', { name: 'January 2026' })).toBeVisible();
  await expect(picker.getByRole('columnheader')).toHaveText([
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
    'Sun',
  ]);
  await expect(picker.getByRole('button', { name: 'Sunday 4 January 2026' })).toBeDisabled();
  const today = picker.getByRole('button', { name: 'Monday 5 January 2026' });
  await expect(today).toBeEnabled();
  await expect(today).toHaveAttribute('aria-current', 'date');
  const back = picker.getByRole('button', { name: 'Previous month' });
  await expect(back).toBeDisabled();
  await picker.getByRole('button', { name: 'Next month' }).click();
  await expect(picker.getByRole('grid', { name: 'February 2026' })).toBeVisible();
  await back.click();
  await expect(back).toBeDisabled();
  await expect(picker.getByRole('grid', { name: 'January 2026' })).toBeVisible();
  const times = picker.getByRole('button', { name: /^\d+:\d\d[AP]M$/ });
  await expect(times).toHaveCount(20);
  await expect(times.first()).toHaveText('8:00AM');
  await expect(times.last()).toHaveText('5:30PM');
  await picker.getByRole('button', { name: 'Monday 5 January 2026' }).click();
  await expect(picker.getByRole('button', { name: '11:30AM' })).toBeDisabled();
  await expect(picker.getByRole('button', { name: '12:00PM' })).toBeEnabled();
});

test('a job without a time: when its customer would like it, and today and tomorrow in one press', {
  tag: '@phone',
}, async ({ page }) => {
  await openJob(page, 'No time', {
    changes: { consumerJobDetails: { description: '', wishedTime: 'Thursday after 3PM' } },
  });
  await page
    .getByRole('button', { name: /^Schedule / })
    .first()
    .click();
  const sheet = page.getByRole('dialog', { name: 'Schedule' });
  await expect(sheet).toContainText('Would like: Thursday after 3PM');
  await sheet.getByRole('button', { name: /^Tomorrow / }).click();
  const day = /^(.+), choose a time$/.exec(
    (await sheet.getByRole('status').first().textContent()) ?? '',
  )?.[1];
  await expect(sheet.getByText(`Times on ${day}`)).toBeVisible();
});

test('on a phone Done waits for both and names them, and the button shows them', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  const picker = await openPicker(page, isMobile);
  const sheet = page.getByRole('dialog', { name: label });
  const done = sheet.getByRole('button', { name: 'Done' });
  await expect(done).toBeDisabled();
  await picker.getByRole('button', { name: 'Tuesday 6 January 2026' }).click();
  await expect(done).toBeDisabled();
  await picker.getByRole('button', { name: '9:30AM' }).click();
  await expect(sheet.getByRole('status')).toHaveText('Tue 06 Jan, 9:30AM');
  await expectAccessible(page);
  await done.click();
  const button = page.getByRole('button', { name: `${label} Tue 06 Jan, 9:30AM` });
  await expect(button).toBeFocused();
  await button.click();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await button.click();
  await sheet.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('button', { name: `${label} Not scheduled yet` })).toBeVisible();
});

test('a phone shows the week of the chosen day, and the whole month once its name is pressed', {
  tag: '@phone',
}, async ({ page }) => {
  const picker = await openPicker(page, true);
  const days = picker.getByRole('gridcell').getByRole('button');
  const month = picker.getByRole('button', { name: /^January 2026$/ });
  await expect(month).toHaveAttribute('aria-expanded', 'false');
  await expect(days).toHaveText(['5', '6', '7', '8', '9', '10', '11']);
  await expect(picker.getByRole('button', { name: 'Previous week' })).toBeDisabled();
  await expectAccessible(page);
  const place = await month.boundingBox();

  await month.click();
  await expect(month).toHaveAttribute('aria-expanded', 'true');
  await expect(month).toBeFocused();
  // The month begins with the week of today: the one before is over.
  await expect(days).toHaveCount(27);
  await expect(days.first()).toHaveText('5');
  await expect(picker.getByRole('button', { name: 'Previous month' })).toBeDisabled();
  expect(await month.boundingBox()).toEqual(place);
  await expectAccessible(page);

  await picker.getByRole('button', { name: 'Tuesday 20 January 2026' }).click();
  await expect(days).toHaveCount(27);
  await picker.getByRole('button', { name: 'Next month' }).click();
  await picker.getByRole('button', { name: /^February 2026$/ }).click();
  await expect(days).toHaveText(['19', '20', '21', '22', '23', '24', '25']);
  await expect(days.nth(1)).toHaveAttribute('aria-pressed', 'true');
  expect(await month.boundingBox()).toEqual(place);
});

test('on a phone weeks follow each other over the end of a month, by their buttons and by the arrows', {
  tag: '@phone',
}, async ({ page }) => {
  const picker = await openPicker(page, true);
  const day = (name: string) => picker.getByRole('button', { name });
  await expect(day('Monday 5 January 2026')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(day('Monday 5 January 2026')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect(day('Monday 12 January 2026')).toBeFocused();
  await expect(day('Sunday 18 January 2026')).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(day('Monday 5 January 2026')).toBeFocused();
  for (let week = 0; week < 3; week += 1) await day('Next week').click();
  const days = picker.getByRole('gridcell').getByRole('button');
  await expect(days).toHaveText(['26', '27', '28', '29', '30', '31', '1']);
  await day('Sunday 1 February 2026').click();
  await expect(picker.getByRole('grid', { name: 'February 2026' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(day('Saturday 31 January 2026')).toBeFocused();
  await expect(picker.getByRole('grid', { name: 'January 2026' })).toBeVisible();
  await day('Previous week').click();
  await expect(days.first()).toHaveText('19');
});

test('a day and a time are chosen by keyboard alone', { tag: '@desktop' }, async ({ page }) => {
  const picker = await openPicker(page, false);
  const day = (name: string) => picker.getByRole('button', { name });
  await day('Monday 5 January 2026').focus();
  await expect(day('Monday 5 January 2026')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(day('Monday 5 January 2026')).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(day('Thursday 5 February 2026')).toBeFocused();
  await page.keyboard.press('End');
  await expect(day('Sunday 8 February 2026')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(day('Monday 9 February 2026')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Tab');
  await expect(day('8:00AM')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(day('10:30AM')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('status').filter({ hasText: 'Mon 09 Feb, 10:30AM' })).toBeVisible();
});

test('on a laptop half a schedule is an error, not dropped', { tag: '@desktop' }, async ({ page }) => {
  await openForm(page);
  await page.getByRole('button', { name: 'Tuesday 6 January 2026' }).click();
  await expect(page.getByText('Tue 06 Jan, choose a time').filter({ visible: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Tuesday 6 January 2026' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('Choose a day and a time')).toBeVisible();
});

const overdue = '2026-01-01T22:30:00.000Z';

/** What the schedule answers: two jobs on the next day, made from one. */
function twoJobsFrom(job: object) {
  const jobs = [
    { at: '2026-01-05T22:00:00.000Z', name: 'Wei Cheng', address: '57 Barkly St, Brunswick VIC 3056' },
    { at: '2026-01-06T02:30:00.000Z', name: 'Sal Amato', address: '4 High St, Preston VIC 3072' },
  ].map(({ at, name, address }, place) => ({
    ...{ ...job, id: `other-${place}`, name, scheduledAt: at, location: { address } },
  }));
  return {
    ...{ status: 'ok', today: '2026-01-05', timeZone: 'Australia/Melbourne', jobs },
    ...{ days: [{ date: '2026-01-06', count: 2 }], more: false, overdue: { count: 0, jobs: [] } },
  };
}

test('a new job is timed with the schedule in sight: dots, taken times and the next free one', {
  tag: ['@phone', '@desktop'],
}, async ({ page, isMobile }) => {
  await page.route('**/api/jobs/schedule*', (route) =>
    route.fulfill({ json: twoJobsFrom({ status: 'To quote', title: 'Tap' }) }),
  );
  const picker = await openPicker(page, isMobile);
  await picker.getByRole('button', { name: 'Tuesday 6 January 2026, 2 jobs' }).click();
  await picker.getByRole('button', { name: '1:30PM S. Amato is booked' }).click();
  const clash = page.locator('.picker__clash').filter({ visible: true });
  await expect(clash).toContainText('Sal Amato in Preston is booked 1:30PM to 2:30PM.');
  await expectAccessible(page);
  await clash.getByRole('button', { name: '2:30PM' }).click();
  await expect(picker.getByRole('button', { name: '2:30PM' })).toHaveAttribute('aria-pressed', 'true');
});

/** The page of an overdue job at 12:10 on a Monday in Melbourne, with two jobs on the schedule of the next day. */
async function openOverdueJob(page: Page): Promise<{ moves: unknown[] }> {
  const { id, ask } = await openJob(page, 'Overdue');
  let { job } = await ask<{ job: JobView }>('GET', `/jobs/${id}`);
  job = { ...job, scheduledAt: overdue };
  const moves: unknown[] = [];
  await page.route('**/api/jobs/schedule*', (route) => route.fulfill({ json: twoJobsFrom(job) }));
  await page.route(`**/api/jobs/${id}`, (route) => {
    if (route.request().method() === 'PUT') {
      const change = route.request().postDataJSON();
      moves.push(change);
      job = { ...job, ...change, revision: job.revision + 1 };
    }
    return route.fulfill({ json: { status: 'ok', job } });
  });
  await page.clock.setFixedTime('2026-01-05T01:10:00Z');
  await page.reload();
  return { moves };
}

test('an overdue job is moved to tomorrow, same time, in two taps', { tag: '@phone' }, async ({ page }) => {
  const { moves } = await openOverdueJob(page);
  await page.getByRole('button', { name: /^Schedule / }).click();
  const sheet = page.getByRole('dialog', { name: 'Schedule' });
  await expect(sheet.getByRole('button', { name: 'Tomorrow, same time' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Moved to Tue 06 Jan, 9:30AM')).toBeVisible();
  expect(moves).toEqual([{ scheduledAt: '2026-01-05T22:30:00.000Z' }]);
});

test('busy days have dots, and a taken time is a warning with the next free one', { tag: '@phone' }, async ({
  page,
}) => {
  const { moves } = await openOverdueJob(page);
  await page.getByRole('button', { name: /^Schedule / }).click();
  const sheet = page.getByRole('dialog', { name: 'Schedule' });
  await expect(sheet.getByRole('button', { name: 'Tuesday 6 January 2026, 2 jobs' })).toBeVisible();
  await expect(sheet.getByRole('button', { name: /^January 2026$/, expanded: false })).toBeVisible();
  // A phone does not draw the week that is over.
  await expect(sheet.getByRole('button', { name: 'Sunday 4 January 2026' })).toHaveCount(0);
  await expect(sheet.getByRole('button', { name: 'Wednesday 7 January 2026', exact: true })).toBeVisible();
  await sheet.getByRole('button', { name: '1:30PM S. Amato is booked' }).click();
  await expect(sheet.getByText('Sal Amato in Preston is booked 1:30PM to 2:30PM.')).toBeVisible();
  await expectAccessible(page);
  // What is taken can be chosen all the same.
  await expect(sheet.getByRole('button', { name: 'Done' })).toBeEnabled();
  await sheet.locator('.picker__clash').getByRole('button', { name: '2:30PM' }).click();
  await expect(sheet.getByText('Next free')).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Moved to Tue 06 Jan, 2:30PM')).toBeVisible();
  expect(moves).toEqual([{ scheduledAt: '2026-01-06T03:30:00.000Z' }]);
});

test('next Monday, with the time that the job had, is one press by keyboard', { tag: '@desktop' }, async ({
  page,
}) => {
  await openOverdueJob(page);
  await page.getByRole('button', { name: /^Schedule / }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Schedule' });
  await sheet.getByRole('button', { name: 'Next Monday' }).press('Enter');
  await expect(sheet.getByRole('button', { name: 'Monday 12 January 2026' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(sheet.getByText('Mon 12 Jan, 9:30AM').last()).toBeVisible();
  await expectAccessible(page);
});
