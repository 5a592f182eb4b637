import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi, openJob, openMonth, signIn } from '#tests/support/browser/browser.ts';
import { expectAccessible, watchShifts } from '#tests/support/browser/page.ts';

// A page may ask on while it closes.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const unknownJob = '/jobs/details/00000000-0000-7000-8000-000000000000';

test('a job shows that it is loading, then that it cannot be, and can be tried again', {
  tag: '@desktop',
}, async ({ page }) => {
  const ask = await logInByApi(page, demo());
  const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs?limit=1');
  const failure = { status: 'error', message: 'Jobs take a break' };
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  const details = /\/api\/jobs\/[0-9a-f-]{36}$/;
  // A live connection that comes back loads the job by itself.
  await page.route(/\/api\/live\b/, (route) => route.abort());
  await page.route(details, async (route) => {
    await held;
    await route.fulfill({ status: 409, json: failure });
  });
  await page.goto(`/jobs/details/${jobs[0]?.id}`);
  await expect(page.getByRole('heading', { name: 'Loading...' })).toBeVisible();
  answer();
  await expect(page.getByRole('listitem').filter({ hasText: 'Jobs take a break' })).toBeVisible();
  await page.unroute(details);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Contact details' })).toBeVisible();
});

test('an unknown job is not found', { tag: '@phone' }, async ({ page }) => {
  await signIn(page, unknownJob);
  await expect(page.getByRole('heading', { name: 'Job not found' })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'See all jobs' })).toBeVisible();
  await page.getByRole('link', { name: 'Search jobs' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search jobs' })).toBeFocused();
});

test('a budget that is a number reads as money', { tag: '@desktop' }, async ({ page }) => {
  const answers = { description: 'Water comes up', wishedTime: '', budget: '1500' };
  await openJob(page, 'Blocked drain', { changes: { consumerJobDetails: answers } });
  const details = page.getByRole('region', { name: 'Job details' });
  await expect(details.getByRole('definition').filter({ hasText: '$' })).toHaveText('$1,500');
});

test('a long history shows earlier entries a page at a time', { tag: '@desktop' }, async ({ page }) => {
  const { id, ask } = await openJob(page, 'Much noted');
  for (let n = 1; n <= 60; n += 1) await ask('PUT', `/jobs/${id}`, { notes: `Note ${n}` });
  await page.reload();
  const story = page.getByRole('region', { name: 'Job history' });
  await expect(story.getByRole('listitem')).toHaveCount(50);
  await story.getByRole('button', { name: 'Show earlier' }).click();
  await expect(story).toContainText('Aroha sent this from your job form');
  await expect(story.getByRole('button', { name: 'Show earlier' })).toBeHidden();
});

test('a work order shows what it is about and whom to ring', { tag: '@desktop' }, async ({ page }) => {
  const ask = await logInByApi(page, demo());
  const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs?search=Hot%20water%20unit');
  await page.goto(`/jobs/details/${jobs[0]?.id}`);
  await expect(page.getByText('New from Ute')).toBeVisible();
  const order = page.getByRole('region', { name: 'Work order' });
  await expect(order.getByRole('term')).toHaveText(['Description', 'Ute phone', 'Ute email']);
  const hrefs = await order
    .getByRole('link')
    .evaluateAll((links) => links.map((a) => a.getAttribute('href')));
  expect(hrefs).toEqual([expect.stringMatching(/^tel:\+?\d+$/), expect.stringMatching(/^mailto:.+@/)]);
});

test('a lead is answered and not worked on yet; accepting shows its contact, and undo hides it again', {
  tag: '@phone',
}, async ({ page }) => {
  const shifts = await watchShifts(page);
  const customer = await openJob(page, 'Details', { accepted: false });
  const contact = page.getByRole('region', { name: 'Contact details' });
  await expect(contact).not.toContainText(customer.email);
  await expect(contact).toContainText(/Reference [0-9A-Z]{6}/);
  await expect(page.getByRole('button', { name: 'Job status Pending until you answer' })).toBeDisabled();
  await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Schedule/ })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveCount(0);
  await expect(page.getByText('Aroha sent this from your job form')).toBeAttached();
  expect(await shifts()).toBeLessThanOrEqual(0.001);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(contact).toContainText(customer.email);
  await expect(contact).toContainText(customer.phone);
  const bar = page.getByRole('group', { name: 'Do next' });
  await expect(bar.getByRole('link', { name: 'Call' })).toHaveClass(/btn--primary/);
  await expect(bar.locator('.btn--primary')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Phone and email show once you accept')).toBeVisible();
  await expectAccessible(page);
});

test('any of the seven statuses can be chosen by keyboard, and undone', { tag: '@desktop' }, async ({
  page,
}) => {
  await openJob(page, 'Status');
  const status = page.getByRole('combobox', { name: 'Job status' });
  await status.press('Enter');
  await expect(page.getByRole('option')).toHaveText([
    ...['To quote', 'In progress', 'Quotednext', 'Completed', 'Invoice sent', 'Paid', 'Unsuccessful'],
  ]);
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Job updated successfully')).toBeVisible();
  await expect(status).toHaveText('Job status In progress');
  const toast = page.getByRole('listitem').filter({ hasText: 'Job updated successfully' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(status).toHaveText('Job status To quote');
  const story = page.getByRole('region', { name: 'Job history' }).getByRole('listitem');
  await expect(story.first()).toContainText('You undid a change: changed In progress to To quote');
  await expect(story.last()).toContainText('Aroha sent this from your job form');
});

test('a job is scheduled with the picker, and leaves the schedule when it is unsuccessful', {
  tag: '@phone',
}, async ({ page }) => {
  await openJob(page, 'Scheduled');
  const schedule = page.getByRole('button', { name: /^Schedule/ });
  await schedule.click();
  const picker = page.getByRole('dialog', { name: 'Schedule' });
  await openMonth(page);
  await picker.getByRole('button', { name: 'Next month' }).click();
  await picker.getByRole('gridcell', { name: /^\w+ 12 / }).click();
  await picker.getByRole('button', { name: '9:30AM' }).click();
  await picker.getByRole('button', { name: 'Done' }).click();
  await expect(schedule).toContainText('12');
  await expect(schedule).toContainText('9:30AM');
  await expect(page.getByRole('region', { name: 'Job history' })).toContainText('You set it for');
  await page.getByRole('combobox', { name: 'Job status' }).click();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('option', { name: 'Unsuccessful' }).click();
  expect((await sent).postDataJSON()).toEqual({ status: 'Unsuccessful', scheduledAt: null });
  await expect(schedule).toBeDisabled();
  await expect(schedule).toHaveText('Schedule Not available for unsuccessful jobs');
});

test('an update that fails shows that and changes nothing', { tag: '@phone' }, async ({ page }) => {
  await openJob(page, 'Refused');
  await page.route('**/api/jobs/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 500, json: { status: 'error', message: 'No' } })
      : route.continue(),
  );
  await page.getByRole('combobox', { name: 'Job status' }).click();
  await page.getByRole('option', { name: 'Paid' }).click();
  await expect(page.getByText('Error updating job')).toBeVisible();
  await expect(page.getByText('Oops, something went wrong')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveText('Job status To quote');
});

test('the customer of today is messaged by the phone’s own messages, and documents are links', {
  tag: '@phone',
}, async ({ page }) => {
  await openJob(page, 'On my way', {
    changes: {
      scheduledAt: new Date().toISOString(),
      media: [{ url: '/api/media/1', thumb: null, name: 'shower-plan.pdf', mime: 'application/pdf' }],
    },
  });
  const documents = page.getByRole('region', { name: 'Uploaded documents' });
  const file = documents.getByRole('link', { name: 'shower-plan.pdf' });
  await expect(file).toHaveAttribute('href', '/api/media/1');
  const link = page.getByRole('link', { name: 'On my way' });
  await expect(link).toHaveAttribute('href', /^sms:\+61491570156\?&body=Hi%20Aroha%2C%20[^.]+%20here/);
  await expect(page.getByRole('link', { name: 'Running late' })).toBeVisible();
  await link.evaluate((element) => {
    element.removeAttribute('href');
    element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  });
  await expect(page.getByRole('region', { name: 'Job history' })).toContainText(
    'opened a message: On my way',
  );
});
