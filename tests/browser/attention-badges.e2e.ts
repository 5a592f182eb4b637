import { expect, type Page } from '@playwright/test';
import type { JobCardView } from '#core/job/view.ts';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, openJob, postRequest } from '#tests/support/browser/browser.ts';
import { changeAnswer, expectAccessible } from '#tests/support/browser/page.ts';

const DAY = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY - 60_000).toISOString();

/** Makes the first jobs of every list the server answers older, or called off. */
async function changeFirst(page: Page, ...changes: Partial<JobCardView>[]): Promise<void> {
  await page.route('**/api/jobs?*', (route) =>
    changeAnswer<{ jobs: JobCardView[] }>(route, ({ jobs, ...rest }) => ({
      ...rest,
      jobs: jobs.map((job, index) => ({ ...job, ...changes[index] })),
    })),
  );
}

const badges = (page: Page) => page.getByText(/^(Waiting \d+ days?|No longer needed|Held for review)$/);

test('what has waited for a day, or is no longer needed, is marked in lists and on the dashboard', {
  tag: '@phone',
}, async ({ page, account }) => {
  const [old, older] = [daysAgo(1), daysAgo(3)];
  // A business of its own: the dashboard shows ten, and others come and go in the one that all share.
  for (const n of [1, 2, 3, 4]) await postRequest(page, aCustomer(`Waits ${n}`), `/t/${account.slug}`);
  await changeFirst(
    page,
    { status: 'Pending', createdAt: old },
    { status: 'Pending', createdAt: older },
    { status: 'Pending', createdAt: older, noLongerNeededAt: old, isUrgent: true },
    { status: 'Pending', heldFor: 'rush' },
  );
  await logInByApi(page, account);
  await page.goto('/');
  const waiting = page.getByRole('region', { name: 'Waiting on your answer' });
  await expect(waiting.getByText('Waiting 1 day', { exact: true })).toBeVisible();
  await expect(waiting.getByText('Waiting 3 days')).toBeVisible();
  await page.goto('/jobs/new?view=new');
  // The oldest first, and what is set aside last, however urgent it was: plain, to be cleared.
  await expect(badges(page)).toHaveText([
    'Waiting 3 days',
    'Waiting 1 day',
    'No longer needed',
    'Held for review',
  ]);
  const aside = page.locator('.lead--aside');
  await expect(aside).toHaveCount(2);
  await expect(aside.getByRole('button', { name: /^Clear it, / })).toHaveCount(2);
  await expect(aside.getByText('Urgent')).toHaveCount(0);
  await expectAccessible(page);
});

test('a held job shows on its page why no alert was sent', { tag: '@phone' }, async ({ page }) => {
  await openJob(page, 'One of a rush', { accepted: false, changes: { heldFor: 'rush' } });
  await expect(page.getByText('Held for review')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your answer' })).toContainText('Many requests came at once');
});
