import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const tick = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const screen = (page: Page) => page.getByRole('dialog', { name: 'Add Custom question' });
const ownQuestion = 'Is there a dog behind the gate?';

test('a tradie ticks what is asked, adds a question, and customers are asked both', {
  tag: '@phone',
}, async ({ page, register }) => {
  const account = await register({ trades: ['plumbing', 'roofing'] });
  await logInByApi(page, account);
  await page.goto('/profile');
  await page.getByRole('link', { name: 'Enquiry form' }).click();
  await expect(page.getByText(/^Customer contact details are collected by default/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'General information' })).toBeVisible();
  const chips = page.getByRole('group', { name: 'Trade' }).getByRole('button');
  await expect(chips).toHaveText(['Plumbing', 'Roofing']);
  await expect(chips.first()).toHaveAttribute('aria-pressed', 'true');
  // 'Job details for {trade}'
  await expect(page.getByRole('heading', { name: 'Job details for Plumbing' })).toBeVisible();
  await expect(tick(page, 'What needs fixing?')).toBeDisabled();
  await expect(tick(page, 'What needs fixing?')).toHaveAccessibleDescription(/^Always asked/);
  await tick(page, 'What is your budget?').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Roofing' }).click();
  await page.getByRole('button', { name: 'Add another question' }).click();
  const text = page.getByPlaceholder('Type in your question');
  await expect(text).toBeFocused();
  await text.fill('y'.repeat(105));
  await expect(page.getByText('100/100 characters')).toBeVisible();
  await text.fill(ownQuestion);
  await expect(screen(page).getByText('You can add more questions later.')).toBeVisible();
  await screen(page).getByRole('button', { name: 'Save' }).click();
  await expect(screen(page)).toHaveCount(0);
  await expect(tick(page, ownQuestion)).toBeChecked();
  await expect(page.getByRole('button', { name: 'Add another question' })).toBeFocused();

  await page.goto('/profile/form');
  await page.getByRole('button', { name: 'Roofing' }).click();
  await expect(tick(page, ownQuestion)).toBeChecked();
  await expect(tick(page, 'What is your budget?')).toBeChecked();
  await page.goto(`/t/${account.slug}`);
  await expect(page.getByLabel(/^What is your budget\?/)).toBeVisible();
  // What is asked for a trade stands under its name.
  const roofing = page.getByRole('region', { name: 'Roofing' });
  await expect(roofing.getByLabel(new RegExp(`^${ownQuestion.replace('?', '\\?')}`))).toBeVisible();
});

test('what is not saved is shown as that, and a question stays typed and is not added twice', {
  tag: '@desktop',
}, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/profile/form');
  const budget = tick(page, 'What is your budget?');
  await page.route('**/api/form', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await budget.click();
  await expect(page.getByRole('alert')).toContainText('Not saved');
  await expect(budget).not.toBeChecked();

  await page.getByRole('button', { name: 'Add another question' }).click();
  await page.getByPlaceholder('Type in your question').fill(ownQuestion);
  const keys: (string | undefined)[] = [];
  await page.route('**/api/form', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    keys.push(request.headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await screen(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Oops, something went wrong')).toBeVisible();
  await expect(page.getByText('Error adding your new question.')).toBeVisible();
  await screen(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByPlaceholder('Type in your question')).toHaveValue(ownQuestion);
  await screen(page).getByRole('button', { name: 'Save' }).click();
  await expect(tick(page, ownQuestion)).toHaveCount(1);
  expect(new Set(keys).size).toBe(1);
});

test('a question of one’s own is given other words and removed, at one’s own word', {
  tag: '@phone',
}, async ({ page, account }) => {
  await logInByApi(page, account);
  await page.goto('/profile/form');
  await page.getByRole('button', { name: 'Add another question' }).click();
  await page.getByPlaceholder('Type in your question').fill('Is there a dgo?');
  await screen(page).getByRole('button', { name: 'Save' }).click();
  await tick(page, 'Is there a dgo?').click();
  await expect(tick(page, 'Is there a dgo?')).not.toBeChecked();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const sheet = page.getByRole('dialog', { name: 'Your question' });
  await page.getByRole('button', { name: 'Change: Is there a dgo?' }).click();
  await expect(sheet.getByRole('textbox')).toHaveValue('Is there a dgo?');
  await expectAccessible(page);
  await sheet.getByRole('textbox').fill('Is there a dog?');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Change: Is there a dgo?' }).click();
  await expect(sheet.getByRole('textbox')).toHaveValue('Is there a dog?');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet).toHaveCount(0);
  // It is asked no more than before, and its button has the focus.
  await expect(tick(page, 'Is there a dog?')).not.toBeChecked();
  const change = page.getByRole('button', { name: 'Change: Is there a dog?' });
  await expect(change).toBeFocused();
  await tick(page, 'Is there a dog?').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await change.click();
  await sheet.getByRole('button', { name: 'Remove question' }).click();
  await sheet.getByRole('button', { name: 'Keep it' }).click();
  await sheet.getByRole('button', { name: 'Remove question' }).click();
  await sheet.getByRole('button', { name: 'Remove it' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(tick(page, 'Is there a dog?')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add another question' })).toBeFocused();
  await page.goto(`/t/${account.slug}`);
  await expect(page.getByLabel(/^Is there a dog/)).toHaveCount(0);
});

test('cancelling clears the question, closing by mistake does not', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.goto('/profile/form');
  const add = page.getByRole('button', { name: 'Add another question' });
  const text = page.getByPlaceholder('Type in your question');
  await add.click();
  await text.fill('Half a thou');
  await page.keyboard.press('Escape');
  await add.click();
  await expect(text).toHaveValue('Half a thou');
  await screen(page).getByRole('button', { name: 'Cancel' }).click();
  await add.click();
  await expect(text).toHaveValue('');
  await expectAccessible(page);
});

test('the customer’s page is drawn beside the questions as they are ticked', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.goto('/profile/form');
  const preview = page.getByRole('complementary', { name: 'Form preview' });
  await expect(preview.getByText(account.tradingName)).toBeVisible();
  await expect(preview.getByText('What is your budget?')).toHaveCount(0);
  await tick(page, 'What is your budget?').click();
  await expect(preview.getByText('What is your budget?')).toBeVisible();
  await expectAccessible(page);
});
