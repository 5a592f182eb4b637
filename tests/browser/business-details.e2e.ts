import { expect, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';

const panel = (page: Page) => page.getByRole('dialog', { name: 'Business details' });
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' });

async function openDetails(page: Page, account: Account) {
  const ask = await logInByApi(page, account);
  await page.goto('/profile?panel=business-details');
  await expect(panel(page).getByLabel('Business name')).toHaveValue(account.tradingName);
  return ask;
}

test('every change is judged, what is right is saved, and other tabs follow', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await openDetails(page, account);
  await expect(panel(page).getByPlaceholder('Enter ABN number or name')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  for (const [label, required, short] of [
    ['Business name', 'Business name is required', 'Business name must be at least 3 characters long'],
    ['First name', 'First name is required', 'First name must be at least 3 characters long'],
    ['Last name', 'Last name is required', 'Last name must be at least 3 characters long'],
  ] as const) {
    const field = panel(page).getByLabel(label);
    const before = await field.inputValue();
    await field.fill('');
    await expect(page.getByText(required)).toBeVisible();
    await field.fill('Ng');
    await expect(page.getByText(short)).toBeVisible();
    await expect(save(page)).toBeDisabled();
    await field.fill(before);
    await expect(page.getByText(short)).toHaveCount(0);
  }
  const about = panel(page).getByLabel('About');
  await expect(about).toHaveAttribute('rows', '2');
  await about.fill('y'.repeat(305));
  await expect(page.getByText('300/300 characters')).toBeVisible();
  await about.fill('Done properly and cleaned up after.');
  await panel(page).getByLabel('Business name').fill('Acme & Daughters');
  await expectAccessible(page);

  const other = await page.context().newPage();
  await other.goto('/profile');
  await expect(other.getByText(account.tradingName, { exact: true })).toBeVisible();
  await save(page).click();
  await expect(page.getByText('Business details updated')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await expect(other.getByText('Acme & Daughters', { exact: true })).toBeVisible();
  await other.goto(`/t/${account.slug}`);
  await expect(other.getByText('Acme & Daughters').first()).toBeVisible();
  await expect(other.getByText('Done properly and cleaned up after.').first()).toBeVisible();
});

test('what is not saved outlives the panel and a reload, and can be discarded', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await openDetails(page, account);
  await panel(page).getByLabel('About').fill('Half a thou');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Business details' }).click();
  await expect(panel(page).getByLabel('About')).toHaveValue('Half a thou');
  await page.reload();
  await expect(panel(page).getByLabel('About')).toHaveValue('Half a thou');
  await panel(page).getByRole('button', { name: 'Discard them' }).click();
  await expect(panel(page).getByLabel('About')).not.toHaveValue('Half a thou');
  await expect(panel(page).getByText('Changes you have not saved yet')).toHaveCount(0);
});

test('a refusal leaves what was typed and shows what failed', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await openDetails(page, account);
  await panel(page).getByLabel('Business name').fill('Acme Brothers');
  await page.route('**/api/settings/profile', (route) => route.abort());
  await save(page).click();
  await expect(page.getByText('Error updating business details')).toBeVisible();
  await expect(panel(page).getByLabel('Business name')).toHaveValue('Acme Brothers');
  await page.unroute('**/api/settings/profile');
  await save(page).click();
  await expect(page.getByText('Business details updated')).toBeVisible();
});

test('a business is found under "Enter {label} or name"; one that cannot be looked up is shown', {
  tag: '@phone',
}, async ({ page, register }) => {
  const account = await register({ region: 'nz', bn: '9429041234563' });
  await openDetails(page, account);
  const search = panel(page).getByRole('combobox', { name: 'NZBN number' });
  await expect(search).toHaveAttribute('placeholder', 'Enter NZBN number or name');
  await search.fill('kauri');
  const option = page.getByRole('option', { name: /kauri/i }).first();
  await expect(option).toBeVisible();
  await page.route('**/api/registration/bn', (route) => route.abort());
  await option.click();
  await expect(page.getByText("We couldn't find this company, please try again.")).toBeVisible();
  await page.unroute('**/api/registration/bn');
  await search.fill('');
  await search.fill('kauri');
  await page.getByRole('option', { name: /kauri/i }).first().click();
  await expect(panel(page).getByLabel('Business name')).toHaveValue(/kauri/i);
  await save(page).click();
  await expect(page.getByText('Business details updated')).toBeVisible();
});

test('a short name that the owner came with is not in the way of other changes', { tag: '@phone' }, async ({
  page,
  register,
}) => {
  await openDetails(page, await register({ firstName: 'Jo', lastName: 'Ng' }));
  await panel(page).getByLabel('About').fill('Since 2009');
  await save(page).click();
  await expect(page.getByText('Business details updated')).toBeVisible();
  await panel(page).getByLabel('First name').fill('Al');
  await expect(page.getByText('First name must be at least 3 characters long')).toBeVisible();
  await panel(page).getByLabel('First name').fill('Jo');
  await expect(page.getByText('First name must be at least 3 characters long')).toHaveCount(0);
});

test('the appearance is pinned, here and in other tabs', { tag: '@desktop' }, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/profile');
  const other = await page.context().newPage();
  await other.goto('/jobs/all');
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
  await expect(other.locator('html')).toHaveAttribute('data-scheme', 'dark');
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await page.getByText('System', { exact: true }).click();
  await expect(other.locator('html')).not.toHaveAttribute('data-scheme');
});

test('trades, area and time zone are changed, and a zone shows its jobs before and after', {
  tag: '@phone',
}, async ({ page, account }) => {
  const ask = await openDetails(page, account);
  const part = (name: string) => panel(page).getByRole('region', { name, exact: true });
  await part('Trades').getByRole('button', { name: 'Change trades' }).click();
  await part('Trades').getByLabel('Find your trade').fill('roof');
  await part('Trades').getByRole('checkbox', { name: 'Roofing', exact: false }).first().check();
  await part('Trades').getByRole('button', { name: 'Save trades' }).click();
  await expect(part('Trades').getByText(/, Roofing/)).toBeVisible();

  await part('Area you cover').getByRole('button', { name: 'Change area' }).click();
  await part('Area you cover').getByLabel('Or start from a postcode').fill('6000');
  await expect(part('Area you cover').getByText(/The area is around/)).toBeVisible();
  await part('Area you cover').getByRole('button', { name: 'Save area' }).click();
  await expect(part('Area you cover').getByText('km around your base')).toBeVisible();

  const zone = part('Time zone');
  await zone.getByRole('button', { name: /Your base is on the time of Perth/ }).click();
  await expect(zone.getByText('No job has a time yet.')).toBeVisible();
  await zone.getByRole('button', { name: 'Keep as it is' }).click();
  const scheduledAt = nextSlot('Australia/Melbourne', '10:00');
  await ask('POST', '/jobs', aNewJob({ title: 'Roof leak', scheduledAt }));
  await zone.getByLabel('Time zone', { exact: true }).selectOption('Australia/Perth');
  await expect(zone.getByText('Roof leak')).toBeVisible();
  await expect(zone.getByText(/As it stands: .* 10:00AM/)).toBeVisible();
  await expect(zone.getByText(/From then on: .* [78]:00AM/)).toBeVisible();
  await expectAccessible(page);
  await zone.getByRole('button', { name: 'Change time zone' }).click();
  await expect(zone.getByLabel('Time zone', { exact: true })).toHaveValue('Australia/Perth');
  await expect(zone.getByText('Roof leak')).toHaveCount(0);
});

function nextSlot(timeZone: string, plainTime: string): string {
  const day = Temporal.Now.plainDateISO(timeZone).add({ days: 3 });
  return new Date(day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds).toISOString();
}
