import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

test('a tradie says that there is a dispute: nothing is removed until it is over', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const ask = await logInByApi(page, account);
  await postRequest(page, aCustomer('Burst pipe'), `/t/${account.slug}`);
  const list = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await expect.poll(async () => (await list()).jobs.length).toBe(1);
  const [{ id }] = (await list()).jobs as [{ id: string }];
  await ask('PUT', `/jobs/${id}/accept`);
  await page.goto(`/jobs/details/${id}`);
  const contact = page.getByRole('region', { name: 'Contact details' });
  const opener = contact.getByRole('button', { name: 'There is a dispute about this job…' });
  const sheet = page.getByRole('dialog', { name: 'Dispute about this job' });

  await opener.click();
  await expect(sheet.getByRole('radio', { name: /^3 months/ })).toBeChecked();
  await expectAccessible(page);
  await sheet.getByRole('radio', { name: /^12 months/ }).check();
  await sheet.getByLabel('What is it about? (optional)').fill('The invoice of May is not paid');
  await sheet.getByRole('button', { name: 'Keep the details' }).click();
  await expect(page.getByText(/^The details stay until /)).toBeVisible();
  await expect(opener).toBeFocused();

  await contact.getByRole('button', { name: 'Remove customer’s details…' }).click();
  await page.getByRole('button', { name: 'Remove in 7 days' }).click();
  await expect(
    page.getByText(/^There is a dispute about this job: the customer's details stay until/),
  ).toBeVisible();
  await page.keyboard.press('Escape');

  await opener.click();
  await expect(sheet).toContainText('The details stay until');
  await expect(sheet.getByRole('radio', { name: /^12 months/ })).toBeChecked();
  await expect(sheet.getByLabel('What is it about? (optional)')).toHaveValue(
    'The invoice of May is not paid',
  );
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'The dispute is over' }).click();
  await expect(page.getByText('The dispute is over')).toBeVisible();
  await opener.click();
  await expect(sheet.getByRole('button', { name: 'The dispute is over' })).toHaveCount(0);
});

test('a dispute that cannot be loaded says so, and can be tried again', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  const ask = await logInByApi(page, account);
  await postRequest(page, aCustomer('Burst pipe'), `/t/${account.slug}`);
  const list = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await expect.poll(async () => (await list()).jobs.length).toBe(1);
  const [{ id }] = (await list()).jobs as [{ id: string }];
  await page.route('**/api/jobs/*/dispute', (route) => route.abort(), { times: 1 });
  await page.goto(`/jobs/details/${id}`);
  await page.getByRole('button', { name: 'There is a dispute about this job…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Dispute about this job' });
  await expect(sheet.getByRole('alert')).toContainText('The dispute could not be loaded.');
  await sheet.getByRole('button', { name: 'Try again' }).click();
  await expect(sheet.getByRole('radio', { name: /^3 months/ })).toBeChecked();
});
