import { expect } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { demo, logInByApi, newJob, newJobPath, openList, signIn } from '#tests/support/browser/browser.ts';

const back = (name: string) => ({ name, exact: true });

test('the way back from a job has the name of the list, and leads to the card that was opened', {
  tag: '@phone',
}, async ({ page }) => {
  const { customer, card } = await newJob(page, 'There and back');
  await card.getByRole('link', { name: customer.title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('There and back');
  await page.getByRole('link', back('New')).click();
  await expect(page).toHaveURL(newJobPath(customer));
  await expect(card.getByRole('link', { name: customer.title })).toBeFocused();
});

test('from the dashboard it is called after it', { tag: '@desktop' }, async ({ page }) => {
  await signIn(page);
  const row = page.getByRole('region', { name: 'Waiting on your answer' }).getByRole('article').first();
  const label = (await row.getAttribute('aria-label')) ?? '';
  await row.getByRole('link', { name: label }).click();
  await page.getByRole('link', back('Your jobs')).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('link', { name: label })).toBeFocused();
});

test('a job that was opened otherwise leads to all jobs', { tag: '@desktop' }, async ({ page }) => {
  const ask = await logInByApi(page, demo());
  const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await openList(page, 'new');
  await page.goto(`/jobs/details/${jobs[0]?.id}`);
  await expect(page.getByRole('link', back('All jobs'))).toHaveAttribute('href', '/jobs/all?view=all');
});

test('Back returns to the page of a long list, and to the card', { tag: '@phone' }, async ({ page }) => {
  const job = (number: number) => ({
    ...{ id: `job-${number}`, type: 'Consumer', status: 'Pending', title: `Job ${number}`, isUrgent: false },
    ...{ scheduledAt: null, createdAt: '2026-01-01T00:00:00Z', noLongerNeededAt: null, heldFor: null },
    ...{ name: 'A', revision: 0, location: { address: '1 A St', placeId: null, lat: null, lng: null } },
  });
  await page.route('**/api/jobs?*', (route) => {
    const first = (Number(new URL(route.request().url()).searchParams.get('page')) - 1) * 75;
    const jobs = Array.from({ length: 75 }, (_, place) => job(first + place + 1));
    return route.fulfill({ json: { status: 'ok', jobs, more: first < 150 } });
  });
  await openList(page, 'all');
  const articles = page.getByRole('article');
  await page.getByRole('article', { name: 'A, Job 75', exact: true }).scrollIntoViewIfNeeded();
  await expect(articles).toHaveCount(150);
  const far = page.getByRole('article', { name: 'A, Job 120', exact: true });
  await far.scrollIntoViewIfNeeded();
  const topOf = async () => Math.round((await far.boundingBox())?.y ?? Number.NaN);
  const before = await topOf();
  await far.getByRole('link').click();
  await expect(page).toHaveURL(/job-120$/);
  await page.goBack();
  await expect(far.getByRole('link')).toBeFocused();
  expect(await topOf()).toBe(before);
});
