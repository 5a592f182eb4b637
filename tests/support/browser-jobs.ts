import { type Browser, expect, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { type Customer, newJob } from './browser.ts';

type Wished = Readonly<{
  /** Whether the tradie accepts it; they do. */
  accepted?: boolean;
  /** What the server is made to say of it besides. */
  changes?: Partial<JobView>;
}>;

/** The details of a job that nobody else in the run touches. */
export async function openJob(
  page: Page,
  browser: Browser,
  title: string,
  { accepted = true, changes }: Wished = {},
): Promise<Customer> {
  const { customer, card } = await newJob(page, browser, title);
  if (changes) await changeAnswers(page, changes);
  await card.getByRole('link', { name: 'Details' }).click();
  await expect(page.getByRole('heading', { level: 1, name: customer.title })).toBeVisible();
  if (accepted) {
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByText('Job has been accepted!')).toBeVisible();
  }
  return customer;
}

async function changeAnswers(page: Page, changes: Partial<JobView>): Promise<void> {
  await page.route(/\/api\/jobs\/[0-9a-f-]{36}(\/accept)?$/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    await route.fulfill({ response, json: { ...answer, job: { ...answer.job, ...changes } } });
  });
}
