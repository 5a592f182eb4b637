import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

test('more than ten jobs of a customer go with the password alone, and fewer without it', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const ask = await logInByApi(page, account);
  const { name, email, phone, address } = aCustomer('Burst pipe');
  for (let n = 1; n <= 11; n += 1)
    await ask('POST', '/jobs', { name, email, phone, address, title: `Visit ${n}` });
  const listed = async () => (await ask<{ jobs: { id: string }[] }>('GET', '/jobs')).jobs;
  await expect.poll(async () => (await listed()).length).toBe(11);
  const jobs = await listed();
  await page.goto(`/jobs/details/${jobs[0]?.id}`);
  await page.getByRole('button', { name: 'Remove customer’s details…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Remove customer’s details' });
  const remove = sheet.getByRole('button', { name: 'Remove in 7 days' });
  const password = sheet.getByLabel('Current Password');
  await expect(sheet.getByRole('checkbox')).toHaveCount(10);
  await expect(sheet).toContainText('A phone that is offline keeps its copy for up to seven days');
  await expect(sheet).toContainText('Nothing about this customer was sent or handed out');
  await expect(password).toHaveCount(0);
  for (const box of await sheet.getByRole('checkbox').all()) await box.check();
  await expect(password).toBeVisible();
  await expect(remove).toBeDisabled();
  await expectAccessible(page);
  await sheet.getByRole('checkbox').first().uncheck();
  await expect(password).toHaveCount(0);
  await expect(remove).toBeEnabled();
  await sheet.getByRole('checkbox').first().check();

  await password.fill('not my password');
  await remove.click();
  await expect(sheet).toContainText('This is not your current password');
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  const planned = async () => (await listed()).filter((job) => 'erasureDueAt' in job).length;
  expect(await planned()).toBe(0);
  await password.fill(account.password);
  await page.keyboard.press('Enter');
  await expect(sheet).toHaveCount(0);
  await expect.poll(planned).toBe(11);
});

test('a customer’s details are removed in seven days with those of another job, and stay after all', {
  tag: '@phone',
}, async ({ page, account }) => {
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
  await expect(sheet.getByRole('checkbox', { name: /^Dripping tap/ })).not.toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(contact.getByRole('button', { name: 'Remove customer’s details…' })).toBeFocused();
  await page.keyboard.press('Enter');
  await sheet.getByRole('checkbox', { name: /^Dripping tap/ }).check();
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
