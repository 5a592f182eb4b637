import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

/** Whom an installation that is only looked at sends requests for a demo. */
const sales = 'jobs@ute.example';
const booked = (page: Page) => page.getByRole('heading', { name: 'Thanks, we have your request' });
const book = (page: Page) => page.getByRole('button', { name: 'Book a demo' });

function aProspect() {
  const unique = crypto.randomUUID().slice(0, 8);
  return { email: `aroha.${unique}@tawhiri.example`, business: `Tāwhiri Plumbing ${unique}` };
}

async function fillIn(page: Page, { email, business }: ReturnType<typeof aProspect>): Promise<void> {
  await page.getByLabel('Full name').fill('Aroha Tāwhiri');
  await page.getByLabel('Business name').fill(business);
  await page.getByLabel('Mobile number').fill('021 555 0123');
  await page.getByLabel('Email address').fill(email);
  await page.getByText('Lunch').click();
}

test('a demo is booked: thanks on the page, a confirmation, and word to sales', { tag: '@phone' }, async ({
  page,
}) => {
  const prospect = aProspect();
  await page.goto('/book-demo');
  await expectAccessible(page);
  await fillIn(page, prospect);
  await book(page).click();
  await expect(booked(page)).toBeFocused();
  await expect(page.getByText('You asked to be reached: Lunch.')).toBeVisible();
  await expect(book(page)).toBeHidden();
  await expectAccessible(page);
  const word = await messageTo(page, sales, prospect.business);
  expect(word.text).toContain(prospect.email);
  const confirmation = await messageTo(page, prospect.email, 'We’ll be in touch');
  expect(confirmation.text).not.toMatch(/Aroha|Tāwhiri|21 ?555 ?0123/);
  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue('');
});

test('what is wrong stands beside its field and goes once it is put right; the keyboard alone sends it', {
  tag: '@desktop',
}, async ({ page }) => {
  const prospect = aProspect();
  await page.goto('/book-demo');
  await book(page).click();
  await expect(page.getByLabel('Full name')).toBeFocused();
  await expect(page.getByLabel('Full name')).toHaveAccessibleDescription('Full name is required');
  await expect(page.getByRole('alert')).toContainText('Not booked yet');
  await expectAccessible(page);
  for (const text of ['Aroha Tāwhiri', prospect.business, '021 555 0123', 'not an email']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  const email = page.getByLabel('Email address');
  await expect(email).toHaveAccessibleDescription('Enter a valid email address');
  await email.fill(prospect.email);
  await expect(email).toHaveAccessibleDescription('');
  await page.keyboard.press('Enter');
  await expect(booked(page)).toBeFocused();
});

test('a dead spot costs nothing: what was typed outlives a reload, and goes when the network is back', {
  tag: '@phone',
}, async ({ page, context }) => {
  const prospect = aProspect();
  await page.goto('/book-demo');
  await fillIn(page, prospect);
  await page.reload();
  await expect(page.getByLabel('Business name')).toHaveValue(prospect.business);
  await expect(page.getByRole('radio', { name: 'Lunch' })).toBeChecked();
  await context.setOffline(true);
  await book(page).click();
  await expect(page.getByRole('alert')).toContainText('There is no network. We keep what you typed');
  await context.setOffline(false);
  await expect(booked(page)).toBeVisible();
});

test('a refusal is shown in the server’s words, and the form stays', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/book-demo');
  await fillIn(page, aProspect());
  const message = 'Too many tries, please wait a moment';
  await page.route('**/api/registration/demo', (route) =>
    route.fulfill({ status: 429, json: { status: 'error', message } }),
  );
  await book(page).click();
  await expect(page.getByRole('alert')).toContainText(message);
  await expect(page.getByLabel('Full name')).toHaveValue('Aroha Tāwhiri');
  await page.unroute('**/api/registration/demo');
  await book(page).click();
  await expect(booked(page)).toBeVisible();
});
