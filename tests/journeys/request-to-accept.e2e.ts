import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, requestJob } from '#tests/support/browser/browser.ts';

const newTile = (page: Page) =>
  page.getByRole('navigation', { name: 'Job counts' }).getByRole('link', { name: 'New' });

test('a request reaches the open dashboard, and only accepting it shows the customer’s contact', {
  tag: '@phone',
}, async ({ page, browser, account }) => {
  await logInByApi(page, account);
  await page.goto('/');
  await expect(newTile(page)).toHaveText(/^0New$/);
  let pagesLoaded = 0;
  page.on('load', () => {
    pagesLoaded += 1;
  });

  const customer = aCustomer('Burst pipe');
  const visitor = await browser.newContext();
  await requestJob(await visitor.newPage(), customer, `/t/${account.slug}`);
  await visitor.close();

  await expect(newTile(page)).toHaveText('1New 1 waiting on you');
  const card = page.getByRole('article', { name: customer.title });
  await expect(card).toBeVisible();
  expect(pagesLoaded).toBe(0);
  await expect(page.getByRole('status').filter({ hasText: `New job: ${customer.title}` })).toBeAttached();
  expect(await page.content()).not.toContain(customer.email);
  await expect(card.getByText(customer.phone)).toHaveCount(0);
  await expect(card.getByRole('link', { name: 'Call' })).toHaveCount(0);

  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Job has been accepted!')).toBeVisible();
  await expect(card.getByText(customer.email)).toBeVisible();
  await expect(card.getByText(customer.phone)).toBeVisible();
  await expect(card.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+61491570156');
});
