import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { checkRecord } from '#core/proof/check.ts';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import {
  aCustomer,
  type Customer,
  logInByApi,
  messageTo,
  postRequest,
} from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

/** What a customer posts from a browser without a script. */
async function request(page: Page, account: Account, customer: Customer): Promise<void> {
  const answer = await page.request.post(`/t/${account.slug}`, {
    form: customer,
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
}

/** The path of "Your details" in the receipt. */
async function detailsLink(page: Page, customer: Customer): Promise<string> {
  const { text } = await messageTo(page, customer.email, 'Your details:');
  return /\/your-details\/\S+/.exec(text)?.[0] ?? '';
}

const remove = (page: Page) => page.getByRole('button', { name: 'Ask to remove my details' });

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('the customer sees what is held, downloads and corrects it, and asks for its removal and takes that back', {
    tag: '@phone',
  }, async ({ page, account }) => {
    const customer = aCustomer('Burst <img src=x onerror=alert(1)> & pipe');
    await request(page, account, customer);
    const link = await detailsLink(page, customer);
    const shown = await page.goto(link);
    expect(shown?.headers()['referrer-policy']).toMatch(/no-referrer|same-origin/);
    await expect(page.getByRole('heading', { level: 1, name: 'Your details' })).toBeVisible();
    const held = page.getByRole('region', { name: 'What is held', exact: true });
    for (const value of [customer.title, customer.name, customer.email, customer.phone, customer.address])
      await expect(held).toContainText(value);
    await expect(held).toContainText('Not answered yet');
    await expect(held).not.toContainText('Pending');
    await expect(page.locator('img[src="x"]')).toHaveCount(0);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      held.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my-request.json');
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(file.request).toMatchObject({ name: customer.name, email: customer.email, title: customer.title });

    await page.getByLabel('What is to be corrected?').fill('It is unit 2 <b>\nof 3');
    await page.getByRole('button', { name: 'Send the correction' }).click();
    await expect(page.getByRole('list', { name: 'What you asked for' })).toContainText('It is unit 2 <b>');
    await expect(page).toHaveURL(`${link}#your-correction`);
    await expect(page.getByRole('region', { name: 'Ask for a correction' })).toBeFocused();

    await remove(page).press('Enter');
    const removal = page.getByRole('region', { name: 'Remove my details' });
    await expect(page.getByRole('status')).toContainText('Your details go on');
    await expect(page.getByRole('status')).toBeInViewport({ ratio: 1 });
    await expect(page).toHaveURL(`${link}#your-removal`);
    await expect(removal).toBeFocused();
    await expect(remove(page)).toHaveCount(0);
    await page.reload();
    await page.getByRole('button', { name: 'Keep my details after all' }).click();
    await expect(remove(page)).toBeInViewport({ ratio: 1 });
    await expect(removal).toBeFocused();
  });

  test('of a request that its customer called off no answer is said to be owed', { tag: '@phone' }, async ({
    page,
    account,
  }) => {
    const customer = aCustomer('Called off');
    await request(page, account, customer);
    const link = await detailsLink(page, customer);
    const { text } = await messageTo(page, customer.email, 'Your details:');
    await page.goto(/\/not-needed\/\S+/.exec(text)?.[0] ?? '');
    await page.getByRole('button', { name: /^Tell / }).click();
    await expect(page.getByRole('status')).toContainText('You do not need to do anything else');
    await page.goto(link);
    const held = page.getByRole('region', { name: 'What is held', exact: true });
    await expect(held).toContainText('You called it off');
    await expect(page.getByText(/not answered yet|if .* does not accept/i)).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Remove my details' })).toContainText(
      'The job was not accepted, so your details go in 7 days',
    );
  });

  test('the customer saves a signed record of the job by one press', { tag: '@desktop' }, async ({
    page,
    account,
  }) => {
    const customer = aCustomer('Record of a pipe');
    await request(page, account, customer);
    const link = await detailsLink(page, customer);
    await page.goto(link);
    const record = page.getByRole('region', { name: 'Job record' });
    await expect(record).toContainText('has no notes of theirs');
    await expect(record.getByRole('list')).toHaveCount(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      record.getByRole('button', { name: 'Save the file' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toMatch(/^job-\w+\.ute-record\.json$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(checkRecord(text).outcome).toBe('fits-itself');
    expect(text).toContain(customer.email);
    await page.reload();
    await expect(record.getByRole('list', { name: 'Records that were made' })).toContainText('made by you');
    await record.getByRole('link', { name: 'Check a record' }).click();
    await expect(page.getByRole('heading', { name: 'Check a job record' })).toBeVisible();
  });

  test('a link that opens nothing shows that', { tag: '@desktop' }, async ({ page }) => {
    expect((await page.goto(`/your-details/${'x'.repeat(43)}`))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible();
  });
});

test('of an accepted job the business is asked, and sees that on the page of the job', {
  tag: '@phone',
}, async ({ page, account }) => {
  const ask = await logInByApi(page, account);
  const customer = aCustomer('Dripping tap');
  await postRequest(page, customer, `/t/${account.slug}`);
  const list = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await expect.poll(async () => (await list()).jobs.length).toBe(1);
  const id = (await list()).jobs[0]?.id;
  await ask('PUT', `/jobs/${id}/accept`);
  await page.goto(await detailsLink(page, customer));
  await expectAccessible(page);
  await remove(page).click();
  await expect(page.getByRole('status')).toContainText('it is for them to answer');

  await page.goto(`/jobs/details/${id}`);
  const contact = page.getByRole('region', { name: 'Contact details' });
  await expect(contact).toContainText(/The customer asked to remove their details on \w+ \d+ \w+ \d{4}/);
  await expectAccessible(page);
  await contact.getByRole('button', { name: 'Remove customer’s details…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove in 7 days' }).click();
  await expect(contact).toContainText('Phone and email are withheld: the details go on');
});
