import { expect, type Locator, type Page } from '@playwright/test';
import { aCustomer } from './browser.ts';

/** A job that no other test of the run adds. Its customer's phone and email are unique too. */
export function aTypedJob(title: string) {
  const digits = String(Math.floor(Math.random() * 1e6)).padStart(6, '0');
  const phone = `0491 ${digits.slice(0, 3)} ${digits.slice(3)}`;
  return { ...aCustomer(title), phone, address: '14 Blyth St, Brunswick' };
}
export type TypedJob = ReturnType<typeof aTypedJob>;

export const jobForm = (page: Page): Locator => page.getByRole('form', { name: 'Add new job' });
export const createButton = (page: Page): Locator => page.getByRole('button', { name: 'Create Job' });
export const addressBox = (page: Page): Locator => page.getByRole('combobox', { name: 'Job address' });

/** Types a job in, its address taken as it is. */
export async function typeJob(page: Page, job: TypedJob): Promise<void> {
  const form = jobForm(page);
  await form.getByLabel('Full name').fill(job.name);
  await form.getByLabel('Email address').fill(job.email);
  await form.getByLabel('Phone number').fill(job.phone);
  await form.getByLabel('Job title').fill(job.title);
  await takeAddress(page, job.address);
}

/** Types an address and takes the last row of the list. */
export async function takeAddress(page: Page, address: string): Promise<void> {
  await addressBox(page).fill(address);
  await page.getByRole('option', { name: `Use this address ${address}` }).click();
  await expect(addressBox(page)).toHaveValue(address);
}
