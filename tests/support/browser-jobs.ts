import { expect, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { aCustomer, type Customer, demo, postRequest } from './browser.ts';
import { type AskApi, logInByApi } from './browser-api.ts';
import { changeAnswer } from './browser-page.ts';

type JobOptions = Readonly<{
  /** Whether the tradie accepts it; they do. */
  accepted?: boolean;
  /** What the server is made to say of it besides. */
  changes?: Partial<JobView>;
}>;

/** The details of a job that no other test of the run touches. */
export async function openJob(
  page: Page,
  title: string,
  { accepted = true, changes }: JobOptions = {},
): Promise<Customer & { id: string; ask: AskApi }> {
  const customer = aCustomer(title);
  await postRequest(page, customer);
  const ask = await logInByApi(page, demo());
  const search = new URLSearchParams({ search: customer.title });
  const found = async () =>
    (await ask<{ jobs: { id: string }[] }>('GET', `/jobs?${search}`)).jobs[0]?.id ?? '';
  await expect.poll(found, { intervals: [50, 100, 200] }).not.toBe('');
  const id = await found();
  if (accepted) await ask('PUT', `/jobs/${id}/accept`);
  if (changes) await changeAnswers(page, changes);
  await page.goto(`/jobs/details/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: customer.title })).toBeVisible();
  return { ...customer, id, ask };
}

async function changeAnswers(page: Page, changes: Partial<JobView>): Promise<void> {
  await page.route(/\/api\/jobs\/[0-9a-f-]{36}(\/accept)?$/, (route) =>
    changeAnswer<{ job: JobView }>(route, (answer) => ({ ...answer, job: { ...answer.job, ...changes } })),
  );
}
