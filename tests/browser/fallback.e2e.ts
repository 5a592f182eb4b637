import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { signIn } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const text = "We're sorry for the inconvenience. Our team has been notified and is working to fix the issue.";

/** A fault that no island catches, as a bug would throw it, once the page's scripts have run. */
async function breakPage(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('A fault with 0491 570 156 in its text');
    });
  });
}

test.describe('a page that fails', () => {
  test.beforeEach(({ page }) => signIn(page));

  test('shows the fallback screen, and the report holds not a word of the fault', {
    tag: '@phone',
  }, async ({ page }) => {
    const report = page.waitForRequest('**/api/client-errors');
    await breakPage(page);
    await expect(page.getByRole('heading', { name: 'Oops! Something Went Wrong' })).toBeVisible();
    await expect(page.getByText(text)).toBeVisible();
    const sent = await report;
    expect(Object.keys(sent.postDataJSON())).toEqual(['ref', 'route', 'stackHash']);
    expect(sent.postData()).not.toMatch(/0491 ?570 ?\d{3}/);
    expect((await sent.response())?.status()).toBe(200);
    await expect(page.getByRole('banner').getByRole('link')).toHaveCount(1);
    await expectAccessible(page);
  });

  test('Try Again reloads it, Go to Homepage goes to the dashboard', { tag: '@desktop' }, async ({
    page,
  }) => {
    await breakPage(page);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(page.getByRole('heading', { name: 'Your jobs' })).toBeVisible();
    await page.goto('/jobs/add');
    await breakPage(page);
    await page.getByRole('link', { name: 'Go to Homepage' }).click();
    await page.waitForURL('/');
  });
});

test('stored values that are broken in any way break no page', { tag: '@desktop' }, async ({ page }) => {
  await signIn(page);
  const broken = ['{', 'null', '[]', '7', '{"values":7}', '{"days":{},"lists":[]}', '[{}]'];
  const keys = ['ute.query.job-counts', 'ute.toasts', 'ute.looks', 'ute.job-added', 'ute.appearance'];
  for (const value of broken) {
    await page.evaluate(
      ({ names, text }) => {
        for (const storage of [sessionStorage, localStorage]) {
          const drafts = Object.keys(storage).filter((key) => key.startsWith('ute.draft.'));
          for (const name of [...names, ...drafts]) storage.setItem(name, text);
        }
      },
      { names: keys, text: value },
    );
    for (const path of ['/', '/jobs/new', '/jobs/add']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      if (path !== '/') {
        await page.getByLabel('Full name').fill('Priya');
        await expect
          .poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage })))
          .toContain('Priya');
      } else await expect(page.getByRole('link', { name: /^\d+ All jobs|All jobs/ }).first()).toBeVisible();
      await expect(page.getByText('Oops! Something Went Wrong')).toHaveCount(0);
    }
  }
});

test.describe('a page that does not exist', () => {
  test('shows that, with a way out', { tag: '@phone' }, async ({ page }) => {
    const answer = await page.goto('/no/such/page');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
    await expect(
      page.getByText("The page you are looking for doesn't exist or has been moved."),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to Homepage' })).toHaveAttribute('href', '/');
    await expectAccessible(page);
  });
});
