import { expect, type Page } from '@playwright/test';
import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate';
import { test } from '#tests/support/browser/accounts.ts';
import { type AskApi, aCustomer, logInByApi, postRequest } from '#tests/support/browser/browser.ts';
import { openWhole, tradiePages, visitorPages } from '#tests/support/browser/page.ts';

const config: ConfigData = {
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // How React writes what is the same page: the case of names, ends and values that may be left out.
    ...{
      'attr-case': 'off',
      'void-style': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
    },
    // A label that holds its field may name it besides.
    'no-redundant-for': 'off',
    // React's ids begin with an underscore, those of a question with its kind and a dot; HTML forbids white space alone.
    'valid-id': ['error', { relaxed: true }],
    // A whole address is typed on one line, and browsers fill it in there.
    'valid-autocomplete': 'off',
    // A text field is one without saying so.
    'no-implicit-input-type': 'off',
    // The one header, main and footer of a page need no names to be distinguished; axe asks for names where there are two.
    'unique-landmark': 'off',
    // A search is sent by Enter, and as it is typed.
    'wcag/h32': 'off',
    // A fieldset that only turns a form off while it is sent groups nothing; axe asks for the names of groups.
    'wcag/h71': 'off',
    // A phone number is shown as it was typed.
    'tel-non-breaking': 'off',
    // The statuses of a job are a combobox with colours, a sheet's part has a role where its element is not free; axe judges both.
    'prefer-native-element': 'off',
  },
};

const validator = new HtmlValidate(new StaticConfigLoader(config));

/**
 * What is wrong with a page, in words with the element; one line each. What a `<template>` holds is no part of the page yet,
 * the style before
 * the first island is Astro's own, and an empty `aria-activedescendant`, which the standard has for none, is downshift's.
 */
async function htmlFaults(html: string): Promise<string[]> {
  const page = html
    .replaceAll(/<template[\s>].*?<\/template>/gs, '')
    .replaceAll(/<style>astro-island.*?<\/style>/gs, '')
    .replaceAll(' aria-activedescendant=""', '');
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`),
  );
}

async function expectValid(page: Page, state: string): Promise<void> {
  expect.soft(await htmlFaults(await page.content()), state).toEqual([]);
}

async function firstJob(ask: AskApi): Promise<string> {
  const find = async () => (await ask<{ jobs: { id: string }[] }>('GET', '/jobs')).jobs[0]?.id ?? '';
  await expect.poll(find).not.toBe('');
  return find();
}

test('the validator finds a doubled class, two main and a button without a name', { tag: '@desktop' }, () => {
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
