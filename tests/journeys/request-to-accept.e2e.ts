import { expect, type Page, test } from '@playwright/test';
import { aCustomer, requestJob, signIn } from '#tests/support/browser.ts';

const newTile = (page: Page) =>
  page.getByRole('navigation', { name: 'Job counts' }).getByRole('link', { name: 'New' });
const countOf = async (page: Page) => Number.parseInt((await newTile(page).textContent()) ?? '', 10);

test('a request reaches the open dashboard, and only accepting it shows the customer’s contact', async ({
  page,
  browser,
}) => {
  await signIn(page);
  await expect(newTile(page)).toHaveText(/\d/);
  const before = await countOf(page);
  let pagesLoaded = 0;
  page.on('load', () => {
    pagesLoaded += 1;
  });

  const customer = aCustomer('Burst pipe');
  const visitor = await browser.newContext();
  await requestJob(await visitor.newPage(), customer);
  await visitor.close();

  await expect.poll(() => countOf(page), { timeout: 5_000 }).toBeGreaterThan(before);
  const card = page.getByRole('article', { name: customer.title });
  await expect(card).toBeVisible({ timeout: 5_000 });
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
