import { expect } from '@playwright/test';
import { aCustomer, postRequest } from '#tests/support/browser.ts';
import { test } from '#tests/support/browser-accounts.ts';
import { logInByApi } from '#tests/support/browser-api.ts';
import { expectAccessible } from '#tests/support/browser-page.ts';

test('a customer’s details are removed in seven days with those of another job, and stay after all', async ({
  page,
  account,
}) => {
  const ask = await logInByApi(page, account);
  const customer = aCustomer('Burst pipe');
  for (const title of [customer.title, 'Dripping tap'])
    await postRequest(page, { ...customer, title }, `/t/${account.slug}`);
  const list = () => ask<{ jobs: { id: string; title: string }[] }>('GET', '/jobs');
  await expect.poll(async () => (await list()).jobs.length).toBe(2);
  const { jobs } = await list();
  for (const { id } of jobs) await ask('PUT', `/jobs/${id}/accept`);
  const id = jobs.find(({ title }) => title === customer.title)?.id;
  await page.goto(`/jobs/details/${id}`);
  const contact = page.getByRole('region', { name: 'Contact details' });
  await expect(contact.getByRole('link', { name: customer.email })).toBeVisible();

  await contact.getByRole('button', { name: 'Remove customer’s details…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Remove customer’s details' });
  await expect(sheet.getByRole('checkbox', { name: /^Dripping tap/ })).toBeChecked();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(contact.getByRole('button', { name: 'Remove customer’s details…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await sheet.getByRole('button', { name: 'Remove in 7 days' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(contact).toContainText('Phone and email are withheld: the details go on');
  await expect(contact.getByRole('link', { name: customer.email })).toHaveCount(0);
  await expectAccessible(page);
  for (const { id: one } of jobs)
    await expect
      .poll(async () => (await ask<{ job: object }>('GET', `/jobs/${one}`)).job)
      .toHaveProperty('erasureDueAt');

  await contact.getByRole('button', { name: 'Keep the details' }).click();
  await expect(contact.getByRole('link', { name: customer.email })).toBeVisible();
});
