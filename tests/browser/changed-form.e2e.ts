import { expect, type Page } from '@playwright/test';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import {
  type AskApi,
  aCustomer,
  fillRequest,
  logInByApi,
  sendRequest,
} from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';

const description = (page: Page) => page.getByLabel('Tell us more');
const send = (page: Page) => page.getByRole('button', { name: /^Send to/ });
const former = (question: string) => `“${question}” is not asked any more: your answer stands here now.`;
const changed = 'The form has changed while you filled it in.';

/** A form that asks "Is there a dgo?", filled in, and what changes it. */
async function aFilledForm(page: Page, account: Account, title: string) {
  const ask = await logInByApi(page, account);
  const { question } = await ask<{ question: { id: string } }>('POST', '/form', {
    ...{ trade: 'plumbing', question: 'Is there a dgo?', seq: 9 },
  });
  await page.goto(`/t/${account.slug}`);
  const customer = aCustomer(title);
  await fillRequest(page, customer);
  await description(page).fill('It drips.');
  await page.getByLabel('Is there a dgo?').fill('Yes, Rex');
  await page.getByText('House', { exact: true }).click();
  const reword = () => ask('PUT', `/form/questions/${question.id}`, { question: 'Is there a dog?' });
  const remove = () => ask('DELETE', `/form/questions/${question.id}`);
  return { ask, customer, reword, remove };
}

/** The newest job, as the tradie has it. */
async function newestJob(ask: AskApi) {
  const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs?limit=1');
  const { job } = await ask<{ job: { title: string; consumerJobDetails: object } }>(
    'GET',
    `/jobs/${jobs[0]?.id}`,
  );
  return job;
}

async function expectCarried(page: Page, title: string): Promise<void> {
  await expect(description(page)).toHaveValue('It drips.\nIs there a dgo? Yes, Rex');
  await expect(page.getByLabel('In a few words')).toHaveValue(title);
  await expect(page.getByRole('radio', { name: 'House', exact: true })).toBeChecked();
  await expect(page.getByLabel('Is there a dgo?')).toHaveCount(0);
}

test('a form that was changed while it was open comes anew with all that was typed, leads to what changed, and goes', {
  tag: '@phone',
}, async ({ page, account }) => {
  const { ask, customer, reword } = await aFilledForm(page, account, 'Reworded');
  await reword();
  await send(page).click();
  await expect(page.getByLabel('Is there a dog?')).toBeFocused();
  await expect(page.getByLabel('Is there a dog?')).toHaveAccessibleDescription('This question is new');
  await expect(page.getByLabel('Is there a dog?')).toHaveValue('');
  await expect(description(page)).toHaveAccessibleDescription(former('Is there a dgo?'));
  await expect(page.getByRole('alert').filter({ hasText: changed })).toBeVisible();
  await expectCarried(page, customer.title);
  await expectAccessible(page);
  await page.reload();
  await expectCarried(page, customer.title);
  await page.getByLabel('Is there a dog?').fill('Yes');
  await sendRequest(page);
  const { title, consumerJobDetails } = await newestJob(ask);
  expect(title).toBe(customer.title);
  expect(consumerJobDetails).toMatchObject({ description: 'It drips.\nIs there a dgo? Yes, Rex' });
});

test('a draft of before the change brings its answer into the description, or beside it where there is no room', {
  tag: '@phone',
}, async ({ page, account }) => {
  const { customer, remove } = await aFilledForm(page, account, 'Draft');
  await remove();
  await page.reload();
  await expect(description(page)).toBeFocused();
  await expectCarried(page, customer.title);
  await page.reload();
  await expectCarried(page, customer.title);

  await page.evaluate((slug) => {
    const name = `ute.form.${slug}`;
    const { asked: _, ...values } = JSON.parse(sessionStorage.getItem(name) ?? '').values;
    const full = { ...values, description: 'x'.repeat(1_999), 'answer.gone': 'Round the back' };
    sessionStorage.setItem(name, JSON.stringify({ values: full }));
  }, account.slug);
  for (const _load of ['the first', 'another']) {
    await page.reload();
    await expect(description(page)).toHaveAccessibleDescription(
      'A question that you answered is not asked any more, and there is no room here for your answer: Round the back',
    );
    await page.getByLabel('Full name').fill('Aroha');
  }
});

test('where the browser stores nothing the server brings what was typed back', { tag: '@desktop' }, async ({
  page,
  account,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new Error('refused');
      },
    });
  });
  const { customer, remove } = await aFilledForm(page, account, 'Nothing stored');
  await remove();
  await send(page).click();
  await expect(page.getByRole('alert').filter({ hasText: changed })).toBeVisible();
  await expectCarried(page, customer.title);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a form that was changed comes back with all that was typed, and goes', { tag: '@phone' }, async ({
    page,
    account,
  }) => {
    const { ask, customer, reword } = await aFilledForm(page, account, 'No script');
    await reword();
    await send(page).click();
    await expectCarried(page, customer.title);
    await expect(page.getByText(former('Is there a dgo?'))).toBeVisible();
    await expect(page.getByText('This question has other words now')).toBeVisible();
    const summary = page.getByRole('alert').filter({ hasText: changed });
    await expect(summary).toBeFocused();
    await expect(summary).toBeInViewport({ ratio: 1 });
    await expect(summary.getByRole('link')).toHaveText(['Tell us more', 'Is there a dog?']);
    await summary.getByRole('link', { name: 'Is there a dog?' }).press('Enter');
    await expect(page.getByLabel('Is there a dog?')).toBeFocused();
    await sendRequest(page);
    expect((await newestJob(ask)).title).toBe(customer.title);
  });
});
