import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { newJob, openList, signIn } from '#tests/support/browser.ts';

test('says that it is loading until the job is there', async ({ page }) => {
  await openList(page, 'all');
  await page.route('**/api/jobs/*', () => new Promise(() => {}));
  await page.getByRole('link', { name: 'Details' }).first().click();
  await expect(page.getByRole('heading', { name: 'Loading...' })).toBeVisible();
});

test('details show the job, and its contact only once it is accepted', async ({ page, browser }) => {
  const { customer, card } = await newJob(page, browser, 'Details');
  await card.getByRole('link', { name: 'Details' }).click();
  await expect(page).toHaveURL(/\/jobs\/details\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1, name: customer.title })).toBeVisible();
  const contact = page.getByRole('region', { name: 'Contact details' });
  await expect(contact).toContainText(customer.name);
  await expect(contact).not.toContainText(customer.email);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(contact).toContainText(customer.email);
  await expect(contact).toContainText(customer.phone);
});

test('an unknown job is not found', async ({ page }) => {
  await signIn(page);
  await page.goto('/jobs/details/00000000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'Job not found' })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility fault in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openList(page, 'all');
    await page.getByRole('link', { name: 'Details' }).first().click();
    await expect(page.getByRole('heading', { name: 'Contact details' })).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
