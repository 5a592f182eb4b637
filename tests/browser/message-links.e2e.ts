import { expect, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import { aCustomer, type Customer, linkOf, logInByApi, messageTo } from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

/** What a customer posts from a browser without a script. */
async function request(page: Page, account: Account, customer: Customer): Promise<void> {
  const answer = await page.request.post(`/t/${account.slug}`, {
    form: customer,
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
}

async function alertLink(page: Page, account: Account, customer: Customer): Promise<string> {
  await request(page, account, customer);
  return linkOf(await messageTo(page, account.email, '/answer/'));
}

const accept = (page: Page) => page.getByRole('button', { name: 'Accept' });

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('the alert leads to the job, which is accepted once by a press and by nothing less', {
    tag: '@phone',
  }, async ({ page, account }) => {
    const customer = aCustomer('Burst <img src=x onerror=alert(1)> & pipe');
    const link = await alertLink(page, account, customer);
    await page.request.get(link);
    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1, name: customer.title })).toBeVisible();
    await expect(page.getByText('Pending')).toBeVisible();
    await expect(page.getByText(customer.name)).toBeVisible();
    await expect(page.getByText('Brunswick VIC')).toBeVisible();
    await expect(page.getByText(`For ${account.tradingName} only. Answers once, until `)).toBeVisible();
    for (const hidden of [customer.phone, customer.email, customer.address])
      expect(await page.content()).not.toContain(hidden);
    await accept(page).press('Enter');
    await expect(page.getByRole('status')).toContainText('Job has been accepted!');
    await expect(accept(page)).toHaveCount(0);
    await page.goto(link);
    await expect(page.getByRole('status')).toContainText('Job has been accepted!');
    const contact = page.getByRole('region', { name: 'Contact details' });
    await expect(contact).toContainText(customer.name);
    await expect(page.getByRole('link', { name: /^Call / })).toHaveAttribute('href', /^tel:/);
    expect(await page.content()).not.toContain(customer.email);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('status')).toContainText('You took your answer back.');
    for (const hidden of [customer.phone, customer.name, customer.address])
      expect(await page.content()).not.toContain(hidden);
  });

  test('a reject is explained by a press, and undone after it', { tag: '@phone' }, async ({
    page,
    account,
  }) => {
    await page.goto(await alertLink(page, account, aCustomer('Roof in the next town')));
    await page.getByRole('button', { name: 'Reject' }).click();
    const why = page.getByRole('form', { name: 'Why? (only you see this)' });
    await expect(why.getByRole('button')).toHaveText(['Too far', 'Booked out', 'Not my trade', 'No reason']);
    await expect(why.getByRole('button', { pressed: true })).toHaveCount(0);
    await why.getByRole('button', { name: 'Booked out' }).click();
    await expect(why.getByRole('button', { pressed: true })).toHaveText('Booked out');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('status')).toContainText('You took your answer back.');
    await expect(why).toHaveCount(0);
  });

  test('an Undo that comes too late says why on the page', { tag: '@phone' }, async ({ page, account }) => {
    const customer = aCustomer('Taken elsewhere');
    const link = await alertLink(page, account, customer);
    await page.goto(link);
    await page.getByRole('button', { name: 'Reject' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await expect(undo).toBeVisible();
    const ask = await logInByApi(page, account);
    const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs');
    await ask('PUT', `/jobs/${jobs[0]?.id}/accept`);
    await undo.click();
    await expect(page.getByText('Too late to undo: that works for a minute')).toBeInViewport();
  });

  test('the receipt lets the customer call it off, and the alert then shows that', { tag: '@phone' }, async ({
    page,
    account,
  }) => {
    const customer = aCustomer('Dripping tap');
    const link = await alertLink(page, account, customer);
    const receipt = linkOf(await messageTo(page, customer.email, '/not-needed/'));
    await page.goto(receipt);
    await expect(page.getByRole('heading', { name: 'No longer need this job?' })).toBeVisible();
    expect(await page.content()).not.toContain(customer.title);
    await page.getByRole('button', { name: `Tell ${account.tradingName}` }).click();
    await expect(page.getByRole('status')).toContainText(`${account.tradingName} knows`);
    await expect(page.getByRole('link', { name: 'Send a new request' })).toBeVisible();
    await page.goto(link);
    await expect(page.getByText('The customer does not need this job any more.')).toBeVisible();
    await expect(accept(page)).toHaveCount(0);
  });

  test('a link that opens nothing shows that', { tag: '@desktop' }, async ({ page }) => {
    for (const path of ['/answer/nonsense', `/not-needed/${'x'.repeat(43)}`]) {
      expect((await page.goto(path))?.status()).toBe(404);
      const title = path.startsWith('/answer') ? 'This link has run out' : 'This link does not work any more';
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      // There is nothing to scroll to.
      const room = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      expect(room).toBeLessThanOrEqual(0);
    }
    await page.goto('/answer/nonsense');
    await expect(page.getByText('answers one job, once, for 3 days')).toBeVisible();
  });

  test('a link that has ended leads to the business', { tag: '@phone' }, async ({ page, account }) => {
    for (const kind of ['not-needed', 'privacy'] as const) {
      const shown = await page.goto(await account.endedLink(kind));
      expect(shown?.status()).toBe(410);
      await expect(page.getByRole('heading', { name: 'This link has ended' })).toBeVisible();
      await expect(page.getByText(account.tradingName)).toBeVisible();
      // One text for a link that ran out and for one that ended with its customer.
      if (kind === 'not-needed')
        await expect(page.getByText('Such a link works for 30 days at most.')).toBeVisible();
      // It publishes no number.
      await expect(page.getByRole('link', { name: /^Call / })).toHaveCount(0);
    }
    await page.getByRole('link', { name: 'Send a new request' }).click();
    await expect(page).toHaveURL(new RegExp(`/t/${account.slug}$`));
  });
});

test('a declined job can still be opened, behind the login, and nothing is wrong with the pages of links', {
  tag: '@desktop',
}, async ({ page, account }) => {
  const customer = aCustomer('Loose tile');
  const link = await alertLink(page, account, customer);
  for (const path of [
    '/answer/nonsense',
    await account.endedLink('privacy'),
    linkOf(await messageTo(page, customer.email, '/not-needed/')),
    link,
  ]) {
    await page.goto(path);
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('status')).toContainText('Job has been rejected.');
  await page.getByRole('link', { name: 'Open the job in Ute' }).click();
  await expect(page).toHaveURL(/^[^?]*\/login\?next=%2Fjobs%2Fdetails%2F/);
});
