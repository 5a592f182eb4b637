import { expect, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, messageTo, postRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

/** A job that was accepted, and the path of its customer's page. */
async function acceptedJob(page: Page, account: Account) {
  const ask = await logInByApi(page, account);
  const customer = aCustomer('Burst pipe');
  await postRequest(page, customer, `/t/${account.slug}`);
  const list = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await expect.poll(async () => (await list()).jobs.length).toBe(1);
  const [{ id }] = (await list()).jobs as [{ id: string }];
  await ask('PUT', `/jobs/${id}/accept`);
  const { text } = await messageTo(page, customer.email, 'Your details:');
  const link = /\/your-details\/\S+/.exec(text)?.[0] ?? '';
  const say = async (data: object) => {
    expect((await page.request.post(`/api${link}`, { data })).status()).toBe(200);
  };
  return { id, link, say, customer };
}

test('a tradie refuses a removal for a reason, which the customer reads with the day and whom to complain to', {
  tag: '@phone',
}, async ({ page, account }) => {
  const { id, link, say } = await acceptedJob(page, account);
  await say({ ask: 'removal' });
  await page.goto('/jobs/all?view=all');
  await expect(page.getByText('Asks for removal')).toBeVisible();
  await page.goto(`/jobs/details/${id}`);
  const task = page.getByRole('region', { name: /asks you to remove their details$/ });
  await expect(task).toBeVisible();
  await expectAccessible(page);

  await task.getByRole('button', { name: 'Keep the details…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Keep the customer’s details' });
  const keep = sheet.getByRole('button', { name: 'Keep the details' });
  await expect(keep).toBeDisabled();
  await expectAccessible(page);
  await sheet.getByRole('radio', { name: 'A guarantee or warranty for the work still runs' }).check();
  await page.route('**/erasure/refusal', (route) => route.abort(), { times: 1 });
  await keep.click();
  await expect(page.getByText('Not changed')).toBeVisible();
  await keep.click();
  await expect(sheet).toHaveCount(0);
  await expect(task).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(
    page.getByText('The customer asked to remove their details, and you keep them.'),
  ).toBeVisible();

  await page.goto(link);
  const removal = page.getByRole('region', { name: 'Remove my details' });
  await expect(removal).toContainText('because a guarantee or warranty for the work still runs');
  await expect(removal.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'You do not agree?' }).getByRole('link')).toHaveAttribute(
    'href',
    /oaic\.gov\.au|privacy\.org\.nz/,
  );
  await expectAccessible(page);
});

test('a removal that was asked for is taken back with a reason alone', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  const { id, say } = await acceptedJob(page, account);
  await say({ ask: 'removal' });
  await page.goto(`/jobs/details/${id}`);
  await page
    .getByRole('region', { name: /asks you to remove their details$/ })
    .getByRole('button', { name: 'Remove the details…' })
    .press('Enter');
  await page.getByRole('button', { name: 'Remove in 7 days' }).click();
  await expect(page.getByText(/^Phone and email are withheld: the details go on/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep the details…' }).click();
  await page.getByRole('radio', { name: 'The work or its payment is not finished' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep the details' }).click();
  await expect(
    page.getByText('The customer asked to remove their details, and you keep them.'),
  ).toBeVisible();
  await expect(page.getByText(/^Phone and email are withheld/)).toHaveCount(0);
});

test('a tradie corrects the details beside what the customer wrote, and both see the new ones', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const { id, link, say, customer } = await acceptedJob(page, account);
  await say({ ask: 'correction', text: 'My name is Arohanui Tāwhiri, and it is 7 Mill St' });
  await page.goto(`/jobs/details/${id}`);
  const asked = page.getByRole('region', { name: /asks for a correction$/ });
  await asked.getByRole('button', { name: 'Correct the details…' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Correct the details' });
  await expect(sheet).toContainText('My name is Arohanui Tāwhiri');
  await expect(sheet.getByLabel('Email address')).toHaveValue(customer.email);
  await expectAccessible(page);
  await sheet.getByLabel('Full name').fill('');
  await sheet.getByRole('button', { name: 'Agree and save' }).click();
  await expect(sheet.getByText('Full name is required')).toBeVisible();
  await expect(sheet.getByLabel('Full name')).toBeFocused();
  await sheet.getByLabel('Full name').fill('Arohanui Tāwhiri');
  await sheet.getByRole('combobox', { name: 'Job address' }).fill('7 Mill St, Thornbury VIC');
  await page.route('**/corrections/*', (route) => route.abort(), { times: 1 });
  await sheet.getByRole('button', { name: 'Agree and save' }).click();
  await expect(sheet.getByRole('alert')).toBeVisible();
  await expect(sheet.getByLabel('Full name')).toHaveValue('Arohanui Tāwhiri');
  await sheet.getByRole('button', { name: 'Agree and save' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(asked).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Contact details' })).toContainText(
    '7 Mill St, Thornbury VIC',
  );
  await expect(page.getByText('Arohanui Tāwhiri').first()).toBeVisible();

  await page.goto(link);
  await expect(page.getByRole('region', { name: 'What is held', exact: true })).toContainText(
    'Arohanui Tāwhiri',
  );
  await expect(page.getByRole('list', { name: 'What you asked for' })).toContainText('agrees to this');
});

test('a correction that the tradie does not agree with stays as a statement, until they agree', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const { id, link, say } = await acceptedJob(page, account);
  await say({ ask: 'correction', text: 'My name is Aroha <b>' });
  await page.goto(`/jobs/details/${id}`);
  const asked = page.getByRole('region', { name: /asks for a correction$/ });
  await expect(asked).toContainText('My name is Aroha <b>');
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'I do not agree' }).press('Enter');
  const statement = page.getByRole('region', { name: /^Statement of / });
  await expect(statement).toContainText('My name is Aroha <b>');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  const other = await page.context().newPage();
  await other.goto(link);
  await expect(other.getByRole('list', { name: 'What you asked for' })).toContainText(
    'What you wrote stays with the job as your statement.',
  );
  await statement.getByRole('button', { name: 'Correct the details after all…' }).click();
  await page.getByRole('button', { name: 'Agree and save' }).click();
  await expect(statement).toHaveCount(0);
  await other.reload();
  await expect(other.getByRole('list', { name: 'What you asked for' })).toContainText('agrees to this');
});
