import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { newJob, openList, signIn } from '#tests/support/browser.ts';
import { openJob } from '#tests/support/browser-jobs.ts';

// A page may ask on while it closes.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

test('says that it is loading until the job is there', async ({ page }) => {
  await openList(page, 'all');
  await page.route('**/api/jobs/*', () => new Promise(() => {}));
  await page.getByRole('link', { name: 'Details' }).first().click();
  await expect(page.getByRole('heading', { name: 'Loading...' })).toBeVisible();
});

test('details show the job, and its contact only once it is accepted', async ({ page }) => {
  const { customer, card } = await newJob(page, 'Details');
  await card.getByRole('link', { name: 'Details' }).click();
  await expect(page).toHaveURL(/\/jobs\/details\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1, name: customer.title })).toBeVisible();
  const contact = page.getByRole('region', { name: 'Contact details' });
  await expect(contact).toContainText(customer.name);
  await expect(contact).not.toContainText(customer.email);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(contact).toContainText(customer.email);
  await expect(contact).toContainText(customer.phone);
});

test('an unknown job is not found', async ({ page }) => {
  await signIn(page, '/jobs/details/00000000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'Job not found' })).toBeVisible();
});

test('a job that cannot be loaded says so in a toast and can be tried again', async ({ page }) => {
  await openList(page, 'all');
  const failure = { status: 'error', message: 'Jobs take a break' };
  await page.route('**/api/live', (route) => route.abort());
  await page.route(/\/api\/jobs\/[0-9a-f-]{36}$/, (route) => route.fulfill({ status: 409, json: failure }));
  await page.getByRole('link', { name: 'Details' }).first().click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Jobs take a break' })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('region', { name: 'Contact details' })).toBeVisible();
});

test('a job that waits for an answer cannot be worked on yet, but noted', async ({ page }) => {
  await openJob(page, 'Waiting', { accepted: false });
  await expect(page.getByRole('combobox', { name: 'Job status' })).toBeDisabled();
  await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveText('Pending');
  await expect(page.getByRole('button', { name: /^Schedule/ })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'Notes' })).toBeEditable();
});

test('any of the seven statuses can be chosen by keyboard, and undone', async ({ page }) => {
  await openJob(page, 'Status');
  const status = page.getByRole('combobox', { name: 'Job status' });
  await status.press('Enter');
  await expect(page.getByRole('option')).toHaveText([
    ...['To quote', 'In progress', 'Quoted', 'Completed', 'Invoice sent', 'Paid', 'Unsuccessful'],
  ]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Job updated successfully')).toBeVisible();
  await expect(status).toHaveText('In progress');
  const said = page.getByRole('listitem').filter({ hasText: 'Job updated successfully' });
  await said.getByRole('button', { name: 'Undo' }).click();
  await expect(status).toHaveText('To quote');
  const story = page.getByRole('region', { name: 'Job history' }).getByRole('listitem');
  await expect(story.first()).toContainText('from In progress to To quote');
  await expect(story.last()).toContainText('asked for this job');
});

test('an accept can be undone', async ({ page }) => {
  await openJob(page, 'By mistake', { accepted: false });
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Job has been accepted!')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Accept to see phone and email')).toBeVisible();
});

test('an unsuccessful job leaves the schedule', async ({ page }) => {
  await openJob(page, 'Unsuccessful');
  await page.getByRole('combobox', { name: 'Job status' }).click();
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('option', { name: 'Unsuccessful' }).click();
  expect((await sent).postDataJSON()).toEqual({ status: 'Unsuccessful', scheduledAt: null });
  const schedule = page.getByRole('button', { name: /^Schedule/ });
  await expect(schedule).toBeDisabled();
  await expect(schedule).toHaveText('Not available for unsuccessful jobs');
});

test('a job is scheduled with the picker', async ({ page }) => {
  await openJob(page, 'Scheduled');
  await page.getByRole('button', { name: /^Schedule/ }).click();
  const picker = page.getByRole('dialog', { name: 'Schedule' });
  await picker.getByRole('button', { name: 'Next month' }).click();
  await picker.getByRole('gridcell', { name: /^\w+ 12 / }).click();
  await picker.getByRole('button', { name: '9:30AM' }).click();
  await picker.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /^Schedule/ })).toContainText('12');
  await expect(page.getByRole('button', { name: /^Schedule/ })).toContainText('9:30AM');
  await expect(page.getByRole('region', { name: 'Job history' })).toContainText('You scheduled the job for');
});

test('an update that fails says so and changes nothing', async ({ page }) => {
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
  await expect(page.getByRole('combobox', { name: 'Job status' })).toHaveText('To quote');
});

test('uploaded documents are links', async ({ page }) => {
  await openJob(page, 'Documents', {
    changes: { media: [{ url: '/api/media/1', name: 'shower-mixer.jpg', mime: 'image/jpeg' }] },
  });
  const documents = page.getByRole('region', { name: 'Uploaded documents' });
  await expect(documents.getByRole('link', { name: 'shower-mixer.jpg' })).toHaveAttribute(
    'href',
    '/api/media/1',
  );
});

test('the customer of today is told by the phone’s own messages', async ({ page }) => {
  await openJob(page, 'On my way', { changes: { scheduledAt: new Date().toISOString() } });
  const link = page.getByRole('link', { name: 'On my way' });
  await expect(link).toHaveAttribute('href', /^sms:\+61491570156\?&body=Hi%20Aroha/);
  await expect(page.getByRole('link', { name: 'Running late' })).toBeVisible();
  await link.evaluate((element) => {
    element.removeAttribute('href');
    element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  });
  await expect(page.getByRole('region', { name: 'Job history' })).toContainText(
    'opened a message: On my way',
  );
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility fault in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openList(page, 'all');
    await page.getByRole('link', { name: 'Details' }).first().click();
    await expect(page.getByRole('heading', { name: 'Contact details' })).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
