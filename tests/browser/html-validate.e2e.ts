import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { type AskApi, aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { htmlFaults, openWhole, tradiePages, visitorPages } from '#tests/support/browser/every-page.ts';

async function expectValid(page: Page, state: string): Promise<void> {
  expect.soft(await htmlFaults(await page.content()), state).toEqual([]);
}

async function firstJob(ask: AskApi): Promise<string> {
  const find = async () => (await ask<{ jobs: { id: string }[] }>('GET', '/jobs')).jobs[0]?.id ?? '';
  await expect.poll(find).not.toBe('');
  return find();
}

test('the validator finds a doubled class, two main and a button without a name', () => {
  return Promise.all(
    [
      ['<p class="a" class="b">One</p>', 'no-dup-attr'],
      ['<main>One</main><main>Two</main>', 'no-multiple-main'],
      ['<button type="button"></button>', 'text-content'],
    ].map(async ([html = '', rule]) => {
      const faults = await htmlFaults(
        `<!DOCTYPE html><html lang="en"><head><title>A</title></head><body>${html}</body></html>`,
      );
      expect(faults.map((fault) => fault.split(':')[0])).toContain(rule);
    }),
  );
});

test('pages of visitors are valid as the server answers them, and once their scripts have run', {
  tag: '@desktop',
}, async ({ page, account }) => {
  for (const path of [...visitorPages, `/t/${account.slug}`, `/t/${account.slug}/sent`]) {
    const answered = await page.request.get(path);
    expect.soft(await htmlFaults(await answered.text()), `${path} as answered`).toEqual([]);
    await page.goto(path);
    await expect(page.locator('main')).toBeVisible();
    await expectValid(page, `${path} in the browser`);
  }
});

test('pages of a tradie are valid as the server answers them, and once they show what they load', {
  tag: '@desktop',
}, async ({ page, account }) => {
  test.slow();
  const ask = await logInByApi(page, account);
  await openWhole(page, '/');
  await expectValid(page, 'a dashboard without jobs');
  await postRequest(page, aCustomer('Valid'), `/t/${account.slug}`);
  const job = `/jobs/details/${await firstJob(ask)}`;
  for (const path of [...tradiePages, job, `${job}/record`, `${job}/as-at`]) {
    const answered = await page.request.get(path);
    expect.soft(await htmlFaults(await answered.text()), `${path} as answered`).toEqual([]);
    await openWhole(page, path);
    await expectValid(page, `${path} in the browser`);
  }
});

test('a job is valid with its sheets open', { tag: '@phone' }, async ({ page, account }) => {
  const ask = await logInByApi(page, account);
  await postRequest(page, aCustomer('Valid'), `/t/${account.slug}`);
  const id = await firstJob(ask);
  await ask('PUT', `/jobs/${id}/accept`);
  await openWhole(page, `/jobs/details/${id}`);
  await expectValid(page, 'an accepted job');
  await page.getByRole('combobox', { name: 'Job status' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectValid(page, 'the statuses of a job');
  await page.keyboard.press('Escape');
  await openWhole(page, '/jobs/add');
  await page.getByRole('button', { name: /^Schedule job date and time/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectValid(page, 'the sheet of the schedule');
});
