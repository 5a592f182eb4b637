import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible, expectFits } from '#tests/support/browser/page.ts';

const list = (page: Page) => page.getByRole('region', { name: 'Three things and you are open' });
const nextUp = (page: Page) => page.getByRole('region', { name: 'Next up' });

/** A device with a share sheet, which notes what it hands out. */
async function withShareSheet(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(navigator, 'share', { value: async (data: unknown) => void shared.push(data) });
  });
  return () => page.evaluate(() => (window as unknown as { shared: unknown }).shared);
}

test('a dashboard without jobs shows three lines, and Share stays until the first job', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const shared = await withShareSheet(page);
  const ask = await logInByApi(page, account);
  await page.goto('/');
  await expect(list(page).getByRole('status')).toHaveText('1 of 3 done');
  await expect(nextUp(page)).toHaveCount(0);
  await expect(list(page).getByRole('link', { name: 'See it' })).toHaveAttribute(
    'href',
    `/t/${account.slug}`,
  );
  await expect(page.getByText('Got a job on the phone already?')).toBeVisible();
  await expectAccessible(page);
  await list(page).getByRole('button', { name: 'Share' }).click();
  expect(await shared()).toEqual([{ url: `${new URL(page.url()).origin}/t/${account.slug}` }]);
  await expect(list(page).getByRole('status')).toHaveText('2 of 3 done');
  await ask('PUT', '/settings/branding', { theme: '#C21313' });
  await page.reload();
  await expect(list(page).getByRole('status')).toHaveText('3 of 3 done');
  await page.reload();
  await expect(list(page).getByRole('button', { name: 'Share' })).toBeEnabled();
  await expect(nextUp(page)).toHaveCount(0);
});

test('the first job ends the first steps, and they fit a phone', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.goto('/');
  await expect(list(page)).toBeVisible();
  await expectFits(page, ['Three things', 'Share the link']);
  await postRequest(page, aCustomer('First'), `/t/${account.slug}`);
  await expect(page.getByRole('region', { name: 'Waiting on your answer' }).getByRole('article')).toHaveCount(
    1,
  );
  await expect(list(page)).toHaveCount(0);
});

test('an empty list shares the job form, while there is no job at all', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const shared = await withShareSheet(page);
  await logInByApi(page, account);
  await page.goto('/jobs/all?view=all');
  await expect(page.getByRole('heading', { name: 'No jobs found' })).toBeVisible();
  await page.getByRole('button', { name: 'Share your job form' }).click();
  expect(await shared()).toEqual([{ url: `${new URL(page.url()).origin}/t/${account.slug}` }]);
  await expectAccessible(page);
  await expectFits(page, ['Nothing has come in yet']);
  await postRequest(page, aCustomer('First'), `/t/${account.slug}`);
  await page.goto('/jobs/in-progress?view=in-progress');
  await expect(page.getByRole('main').getByRole('link', { name: 'Add new job' }).last()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Share your job form' })).toHaveCount(0);
});

const toFinish = (page: Page) => page.getByRole('region', { name: 'Still to do' });

test('that customers see no phone stands there until one is shown', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.goto('/');
  await expect(toFinish(page)).toContainText('No phone on your public page');
  await expect(toFinish(page)).not.toContainText('Your email is not confirmed');
  await expectAccessible(page);
  await expectFits(page, ['Still to do', 'Show it']);
  await toFinish(page).getByRole('link', { name: 'Show it' }).click();
  const mobile = page.getByRole('region', { name: 'Mobile number' });
  const shown = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/settings/contact'),
  );
  await mobile.getByRole('switch').click();
  expect((await shown).ok()).toBe(true);
  await page.goto('/');
  await expect(list(page)).toBeVisible();
  await expect(toFinish(page)).toHaveCount(0);
});

test('an email that is not confirmed stands there, and its link is sent again where it says so', {
  tag: '@phone',
}, async ({ page, account }) => {
  await logInByApi(page, account);
  // Accounts of these tests are confirmed: what the server says of one that is not.
  await page.route('**/api/authenticate', async (route) => {
    const answer = await route.fetch();
    const { user, ...rest } = await answer.json();
    await route.fulfill({ json: { ...rest, user: { ...user, emailConfirmed: false, showsPhone: true } } });
  });
  await page.goto('/');
  await expect(toFinish(page).getByRole('status')).toHaveText(`Open the link we sent to ${account.email}`);
  await page.route('**/api/authenticate/email/confirmation', (route) =>
    route.fulfill({ json: { status: 'ok', contact: {} } }),
  );
  await toFinish(page).getByRole('button', { name: 'Send the link again' }).click();
  await expect(toFinish(page).getByRole('status')).toHaveText(
    `Sent again to ${account.email}. Look in your spam, too`,
  );
});
