import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const written = 'It is the one under the sink. Water comes out whenever the tap runs, and it smells.\n';
const lead = {
  ...aCustomer('The kitchen drain is blocked again and smells'),
  description: `${written}Ring me on 0491 570 156. ${'It has done so since Monday. '.repeat(30)}`,
  wishedTime: 'This week',
};
const words =
  /^It is the one under the sink\. Water comes out.*smells\. Ring me on \(hidden until you accept\)/;

const cardOf = (page: Page) => page.getByRole('article', { name: lead.title });

for (const path of ['/', '/jobs/new?view=new', '/jobs/all?view=all']) {
  test(`on ${path} the card of a request has the customer’s words in two lines, and when it suits them`, {
    tag: '@phone',
  }, async ({ page, account }) => {
    await postRequest(page, lead, `/t/${account.slug}`);
    await logInByApi(page, account);
    await page.goto(path);
    const card = cardOf(page);
    await expect(card.getByText('Would like: This week')).toBeVisible();
    const said = card.getByText(words);
    await expect(said).toBeVisible();
    await expect(card).not.toContainText('0491');
    const lines = await said.evaluate((text) => {
      const { height } = text.getBoundingClientRect();
      return height / Number.parseFloat(getComputedStyle(text).lineHeight);
    });
    expect(Math.round(lines * 10)).toBe(20);
    // What is cut is whole to who listens.
    await expect(card.getByText('The kitchen drain is blocked a…')).toBeVisible();
    await expect(card.getByRole('link', { name: `Aroha Tāwhiri, ${lead.title}` })).toBeVisible();
    await expectAccessible(page);
    const { width } = page.viewportSize() ?? { width: 0 };
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

for (const path of ['/', '/jobs/new?view=new']) {
  test(`on ${path} a card of a request is as high while it loads as it is then`, { tag: '@phone' }, async ({
    page,
    account,
  }) => {
    await postRequest(page, { ...lead, wishedTime: '' }, `/t/${account.slug}`);
    await logInByApi(page, account);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/jobs(\?|$)/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(path);
    const heightOf = async (card: Locator) => (await card.boundingBox())?.height ?? 0;
    const before = await heightOf(page.locator('.lead[aria-hidden]').first());
    release();
    await expect(cardOf(page).getByText(words)).toBeVisible();
    expect(Math.abs((await heightOf(cardOf(page))) - before)).toBeLessThanOrEqual(4);
  });
}

test('an accepted job needs them on its page alone, and a rejected one on its card still', {
  tag: '@phone',
}, async ({ page, account }) => {
  await postRequest(page, lead, `/t/${account.slug}`);
  await logInByApi(page, account);
  await page.goto('/jobs/all?view=all');
  const card = cardOf(page);
  await card.getByRole('button', { name: /^Reject, / }).click();
  await expect(card.getByRole('button', { name: 'Unavailable' })).toBeVisible();
  await expect(card.getByText(words)).toBeVisible();
  await card.getByRole('button', { name: /^Accept, / }).click();
  await expect(card.getByRole('link', { name: `Details of Aroha Tāwhiri, ${lead.title}` })).toBeVisible();
  await expect(card.getByText(words)).toHaveCount(0);
  await expect(card.getByText('Would like')).toHaveCount(0);
  // A row of a list has the whole title in its name as well.
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'List' }).click();
  await expect(card.getByText('The kitchen drain is blocked a…')).toBeVisible();
  await expect(card.getByRole('link', { name: `Aroha Tāwhiri, ${lead.title}` })).toBeVisible();
});
