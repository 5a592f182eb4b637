import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  addressBox,
  aTypedJob,
  createButton,
  jobForm,
  logIn,
  logInByApi,
  postRequest,
  type TypedJob,
  typeJob,
} from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

test.beforeEach(async ({ page, account }) => {
  await logInByApi(page, account);
});

async function expectRestored(page: Page, job: TypedJob): Promise<void> {
  const form = jobForm(page);
  await expect(form.getByLabel('Full name')).toHaveValue(job.name);
  await expect(form.getByLabel('Email address')).toHaveValue(job.email);
  await expect(form.getByLabel('Phone number')).toHaveValue(job.phone);
  await expect(form.getByRole('combobox', { name: 'Job address' })).toHaveValue(job.address);
  await expect(form.getByLabel('Job title')).toHaveValue(job.title);
  await expect(createButton(page)).toBeEnabled();
}

test('a save that got lost loses nothing that was typed, and its retry makes one job', {
  tag: '@phone',
}, async ({ page }) => {
  const job = aTypedJob('Once');
  await page.goto('/jobs/add');
  await typeJob(page, job);
  let answered = () => {};
  const held = new Promise<void>((resolve) => (answered = resolve));
  const keys: (string | undefined)[] = [];
  await page.route('**/api/jobs', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await held;
    await route.abort();
  });
  await createButton(page).click();
  const busy = page.getByRole('button', { name: 'Creating...' });
  await expect(busy).toBeDisabled();
  answered();
  await expect(page.getByText('An unexpected error occurred')).toBeVisible();
  await expectRestored(page, job);
  await page.reload();
  await expectRestored(page, job);
  await createButton(page).click();
  await expect(page.getByText('Job created successfully')).toBeVisible();
  expect(keys[1]).toBe(keys[0]);
  await expect(page.getByRole('article', { name: job.title })).toHaveCount(1);
  await page.goto('/jobs/add');
  await expect(jobForm(page).getByLabel('Full name')).toHaveValue('');
});

test('what the server refuses is shown in its words, beside the field', { tag: '@desktop' }, async ({
  page,
}) => {
  const answer = {
    status: 422,
    json: {
      ...{ status: 'error', message: 'Please check what you entered' },
      fields: { scheduledAt: 'Choose a time from now on', email: 'Enter a valid email address' },
    },
  };
  await page.route('**/api/jobs', (route) => route.fulfill(answer));
  await page.goto('/jobs/add');
  await typeJob(page, aTypedJob('Refused'));
  await createButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Please check what you entered');
  const email = jobForm(page).getByLabel('Email address');
  await expect(email).toHaveAccessibleDescription('Enter a valid email address');
  await expect(page.getByText('Choose a time from now on').filter({ visible: true })).toBeVisible();
  await email.fill('other@example.com');
  await expect(jobForm(page).getByText('Enter a valid email address')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a lost session brings the tradie back to what was typed', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const job = aTypedJob('Session');
  await page.goto('/jobs/add');
  await typeJob(page, job);
  await page.route('**/api/jobs', (route) =>
    route.fulfill({ status: 403, json: { status: 'error', message: 'Session timed out' } }),
  );
  await createButton(page).click();
  await expect(page.getByText('Session timed out')).toBeVisible();
  await page.unroute('**/api/jobs');
  await logIn(page, account);
  await expect(page).toHaveURL('/jobs/add');
  await expectRestored(page, job);
});

test('logging out asks about what was typed in any tab, and removes it there', { tag: '@desktop' }, async ({
  page,
  context,
}) => {
  await page.goto('/jobs/add');
  await typeJob(page, aTypedJob('Logout'));
  const drafts = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('ute.draft')));
  expect(await drafts()).toHaveLength(1);
  const other = await context.newPage();
  await other.goto('/logout');
  await expect(other.getByRole('heading', { name: '1 draft is not saved yet' })).toBeVisible();
  expect(await drafts()).toHaveLength(1);
  await other.getByRole('button', { name: 'Log out and lose it' }).click();
  await expect(other).toHaveURL('/login');
  await expect(page).toHaveURL(/\/login/);
  expect(await drafts()).toEqual([]);
});

test('/jobs/new has the form beside the list or over it, and an empty one after each job', async ({
  page,
  isMobile,
  account,
}) => {
  const job = aTypedJob('Beside');
  await postRequest(page, aCustomer('Waits'), `/t/${account.slug}`);
  await page.goto('/jobs/new?view=new');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(jobForm(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Add new job' }).click();
  await expect(page).toHaveURL('/jobs/new');
  await expect(page.getByRole('dialog', { name: 'Add new job' })).toHaveCount(isMobile ? 1 : 0);
  await typeJob(page, job);
  await createButton(page).click();
  await expect(page.getByText('Job created successfully')).toBeVisible();
  await expect(page).toHaveURL('/jobs/new');
  const card = page.getByRole('article', { name: job.title });
  await expect(card).toBeInViewport();
  await expect(card).toContainText('To quote');
  if (isMobile) {
    await expect(jobForm(page)).toHaveCount(0);
    await page.getByRole('link', { name: 'Add new job' }).click();
  } else await expect(jobForm(page).getByLabel('Full name')).toBeFocused();
  await expect(jobForm(page).getByLabel('Full name')).toHaveValue('');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(jobForm(page)).toHaveCount(0);
  await expect(page).toHaveURL('/jobs/new?view=new');
});

test('on a phone Escape closes what is on top, one at a time', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/jobs/new');
  const sheet = page.getByRole('dialog', { name: 'Add new job' });
  await addressBox(page).fill('12 smith st fitz');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(addressBox(page)).toHaveValue('12 smith st fitz');
  await sheet.getByRole('button', { name: /Not scheduled yet/ }).click();
  const picker = page.getByRole('dialog', { name: 'Schedule job date and time' });
  await expect(picker).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(picker).toHaveCount(0);
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
});
