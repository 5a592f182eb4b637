import { expect, type Request } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import {
  type AskApi,
  addressBox,
  aTypedJob,
  createButton,
  jobForm,
  logInByApi,
  openMonth,
  takeAddress,
  typeJob,
} from '#tests/support/browser/browser.ts';
import { changeAnswer, expectAccessible } from '#tests/support/browser/page.ts';

const isCreation = (request: Request) =>
  request.method() === 'POST' && new URL(request.url()).pathname === '/api/jobs';

let ask: AskApi;
test.beforeEach(async ({ page, account }) => {
  ask = await logInByApi(page, account);
});

test('the dashboard leads to the form, which is empty and shows what it needs', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Add new job' }).click();
  await expect(page).toHaveURL('/jobs/add');
  await expect(page.getByRole('heading', { level: 1, name: 'Add new job' })).toBeVisible();
  const labels = ['Full name', 'Email address', 'Phone number', 'Job title', 'Job notes'];
  for (const label of labels) await expect(jobForm(page).getByLabel(label)).toHaveValue('');
  await expect(jobForm(page).getByRole('combobox', { name: 'Job address' })).toHaveValue('');
  await expect(page.getByText('Schedule job date and time').filter({ visible: true })).toHaveCount(1);
  await expect(createButton(page)).toHaveText('Create Job');
  await expect(createButton(page)).toBeDisabled();
  await expect(createButton(page)).toHaveAccessibleDescription(
    'Still needed: a full name, an email address, a phone number and an address from the list',
  );
  await addressBox(page).fill('12 smith st fitz');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
});

test('a job is made, announced, and at the head of the New list, to quote', { tag: '@desktop' }, async ({
  page,
}) => {
  const job = aTypedJob('By hand');
  await page.goto('/jobs/add');
  await typeJob(page, job);
  await page.getByLabel('Job notes').fill('Key under the mat');
  await createButton(page).click();
  await expect(page).toHaveURL('/jobs/new');
  await expect(page.getByText('Job created successfully')).toBeVisible();
  const card = page.getByRole('region', { name: 'Just added' }).getByRole('article', { name: job.title });
  await expect(card).toBeInViewport();
  await expect(card).toContainText('To quote');
  await expect(card).toContainText(job.phone);
  await expect(card).toContainText(job.address);
});

test('the button waits for each of the four, and a field shows what is wrong once it is left', {
  tag: '@desktop',
}, async ({ page }) => {
  await page.goto('/jobs/add');
  await typeJob(page, aTypedJob('Rules'));
  await expect(createButton(page)).toBeEnabled();
  const form = jobForm(page);
  for (const [label, wrong, right, message] of [
    ['Email address', 'priya@', 'priya@example.com', 'Enter a valid email address'],
    ['Phone number', '03 9999 9999', '0491 570 158', 'Enter an Australian or New Zealand mobile number'],
  ] as const) {
    await form.getByLabel(label).fill(wrong);
    await form.getByLabel(label).blur();
    await expect(form.getByLabel(label)).toHaveAccessibleDescription(message);
    await expect(createButton(page)).toBeDisabled();
    await form.getByLabel(label).fill(right);
    await expect(form.getByText(message)).toHaveCount(0);
    await expect(createButton(page)).toBeEnabled();
  }
  await form.getByLabel('Full name').fill(' ');
  await expect(createButton(page)).toBeDisabled();
});

test('a phone number is grouped as it is typed, and the caret stays where it is', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto('/jobs/add');
  const phone = page.getByLabel('Phone number');
  await phone.pressSequentially('0491570158');
  await expect(phone).toHaveValue('0491 570 158');
  await phone.press('Home');
  for (let step = 0; step < 6; step += 1) await phone.press('ArrowRight');
  await phone.press('Delete');
  await phone.press('8');
  await expect(phone).toHaveValue('0491 580 158');
  expect(await phone.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(7);
  await phone.fill('');
  await phone.pressSequentially('02112345678');
  await expect(phone).toHaveValue('021 123 45678');
});

test('an address is chosen by keyboard alone, and is not chosen any more once it is typed into', {
  tag: '@desktop',
}, async ({ page }) => {
  await page.goto('/jobs/add');
  const box = addressBox(page);
  await box.pressSequentially('12');
  await expect(box).toHaveAttribute('aria-expanded', 'false');
  await box.pressSequentially(' smith st fitz');
  await expect(page.getByRole('option').first()).toContainText(/^12 Smith St/i);
  await expect(page.getByRole('option').last()).toContainText('Use this address');
  await box.press('ArrowDown');
  await box.press('Enter');
  await expect(box).toHaveValue(/^12 Smith St.*Fitzroy/i);
  await expect(box).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByText(/an address from the list/)).toHaveCount(0);
  await box.press('End');
  await box.press('Backspace');
  await expect(page.getByText(/Still needed: .*an address from the list/)).toBeVisible();
  await box.press('Escape');
  await box.blur();
  await expect(box).toHaveAccessibleDescription('Choose an address from the list');
});

test('where a chosen address is goes with the job, and never over what is typed meanwhile', {
  tag: '@desktop',
}, async ({ page }) => {
  const places = /\/api\/addresses\/[^?]+\?/;
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(places, async (route) => {
    await held;
    await changeAnswer<{ address: object }>(route, ({ address }) => ({
      status: 'ok',
      address: { ...address, formatted_address: 'As the register writes it', lat: -37.8, lng: 144.97 },
    }));
  });
  const job = aTypedJob('Placed');
  await page.goto('/jobs/add');
  await typeJob(page, job);
  await addressBox(page).fill('12 smith st fitz');
  await page.getByRole('option').first().click();
  await addressBox(page).fill('14 blyth st');
  const late = page.waitForResponse(places);
  answer();
  await late;
  await page.getByRole('option', { name: 'Use this address' }).click();
  await expect(addressBox(page)).toHaveValue('14 blyth st');
  await addressBox(page).fill('12 smith st fitz');
  await page.getByRole('option').first().click();
  await expect(addressBox(page)).toHaveValue('As the register writes it');
  const posted = page.waitForRequest((request) => isCreation(request));
  await createButton(page).click();
  expect((await posted).postDataJSON()).toMatchObject({
    ...{ address: 'As the register writes it', lat: -37.8, lng: 144.97, placeId: expect.any(String) },
  });
  // The answer to the request that was caught leads on: the page is not left in the middle of that.
  await expect(page).toHaveURL(/\/jobs\/new/);
});

test('half of a schedule is asked for at its field before the job is made, and stays typed', async ({
  page,
  isMobile,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (isCreation(request)) sent.push(request.url());
  });
  await page.goto('/jobs/add');
  await typeJob(page, aTypedJob('Half'));
  if (isMobile) {
    await page.getByRole('button', { name: /Not scheduled yet/ }).click();
    await openMonth(page);
  }
  await page.getByRole('button', { name: 'Next month' }).click();
  const day = page.getByRole('gridcell', { name: /^\w+ 13 / }).getByRole('button');
  await day.click();
  if (isMobile) {
    await expect(page.getByRole('button', { name: 'Done' })).toBeDisabled();
    await page.getByRole('button', { name: '10:30AM' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: /13 \w+, 10:30AM/ })).toBeVisible();
    return;
  }
  await createButton(page).click();
  const message = page.getByText('Choose a time as well, or clear the day').filter({ visible: true });
  await expect(message).toBeVisible();
  await expect(page.getByRole('group', { name: 'Schedule job date and time' })).toHaveAccessibleDescription(
    'Choose a time as well, or clear the day',
  );
  await expect(day).toHaveAttribute('aria-pressed', 'true');
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: '10:30AM' }).click();
  await expect(message).toHaveCount(0);
  const posted = page.waitForRequest((request) => isCreation(request));
  await createButton(page).click();
  expect((await posted).postDataJSON().scheduledAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  await expect(page).toHaveURL('/jobs/new');
  await expect(page.getByText('Job created successfully')).toBeVisible();
});

test('without suggestions an address is used as it is typed', { tag: '@phone' }, async ({ page }) => {
  await page.route('**/api/addresses?*', (route) => route.abort());
  await page.goto('/jobs/add');
  await addressBox(page).fill('Lot 3 Back Road');
  await expect(
    page.getByText('No suggestions just now', { exact: false }).filter({ visible: true }).first(),
  ).toBeVisible();
  await takeAddress(page, 'Lot 3 Back Road');
  await expect(page.getByText(/an address from the list/)).toHaveCount(0);
});

test('other jobs at that time or with the same contact are shown, and nothing is in the way', {
  tag: '@desktop',
}, async ({ page }) => {
  const job = aTypedJob('Twice');
  const { job: first } = await ask<{ job: { id: string } }>('POST', '/jobs', job);
  const { job: other } = await ask<{ job: { id: string } }>('POST', '/jobs', aTypedJob('Overlaps'));
  await page.goto('/jobs/add');
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByRole('gridcell', { name: /^\w+ 13 / }).click();
  await page.getByRole('button', { name: '10:30AM' }).click();
  const asked = page.waitForRequest('**/api/jobs/hints?scheduledAt=*');
  await typeJob(page, { ...job, title: `${job.title} again` });
  const scheduledAt = new URL((await asked).url()).searchParams.get('scheduledAt');
  await ask('PUT', `/jobs/${other.id}`, { scheduledAt });
  await page.reload();
  const note = page.getByRole('status').filter({ hasText: 'Worth a look before you save' });
  await expect(note).toContainText('Same phone, email and address as');
  await expect(note.getByRole('link', { name: job.title })).toHaveAttribute(
    'href',
    `/jobs/details/${first.id}`,
  );
  await expect(note).toContainText(/Overlaps with Overlaps \w+ for Aroha Tāwhiri, \w+ 13 \w+, 10:30AM/);
  await expectAccessible(page);
  await createButton(page).click();
  await expect(page.getByText('Job created successfully')).toBeVisible();
});
