import { expect, type Page } from '@playwright/test';
import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate';
import { test } from '#tests/support/browser/accounts.ts';
import {
  type AskApi,
  aCustomer,
  aTypedJob,
  logInByApi,
  postRequest,
} from '#tests/support/browser/browser.ts';
import {
  expectTextsOnly,
  longWord,
  openWhole,
  setText,
  textSizes,
  tooWide,
  tradiePages,
  visitorPages,
} from '#tests/support/browser/page.ts';
import { expectShown, laptopRoute } from '#tests/support/browser/routes.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

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

/** What html-validate lets pass and the standard does not. */
const misplaced: readonly (readonly [what: string, tag: RegExp])[] = [
  ['hidden on a drawing', /<svg\b[^>]*\shidden\b[^>]*>/g],
  ['aria-checked beside what says it', /<input\b(?=[^>]*\stype="checkbox")[^>]*\saria-checked=[^>]*>/g],
  ['for on what is no label', /<(?!label\b|output\b)[a-z]+\b[^>]*\sfor=[^>]*>/g],
];

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
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`),
  );
  return [
    ...found,
    ...misplaced.flatMap(([what, tag]) => (page.match(tag) ?? []).map((at) => `${what}: ${at}`)),
  ];
}

async function expectValid(page: Page, state: string): Promise<void> {
  expect.soft(await htmlFaults(await page.content()), state).toEqual([]);
}

async function firstJob(ask: AskApi): Promise<string> {
  const find = async () => (await ask<{ jobs: { id: string }[] }>('GET', '/jobs')).jobs[0]?.id ?? '';
  await expect.poll(find).not.toBe('');
  return find();
}

test('the validator finds a doubled class, two main, a button without a name and what is misplaced', {
  tag: '@desktop',
}, () => {
  return Promise.all(
    [
      ['<p class="a" class="b">One</p>', 'no-dup-attr'],
      ['<main>One</main><main>Two</main>', 'no-multiple-main'],
      ['<button type="button"></button>', 'text-content'],
      ['<p>One <svg class="icon" hidden></svg></p>', 'hidden on a drawing'],
      [
        '<label>One <input type="checkbox" role="switch" aria-checked="true"></label>',
        'aria-checked beside what says it',
      ],
      ['<p id="a">One <span for="a">Two</span></p>', 'for on what is no label'],
    ].map(async ([html = '', rule]) => {
      const faults = await htmlFaults(
        `<!DOCTYPE html><html lang="en"><head><title>A</title></head><body>${html}</body></html>`,
      );
      expect(faults.map((fault) => fault.split(':')[0])).toContain(rule);
    }),
  );
});

/**
 * What of the page is out of reach: it scrolls sideways, bars take half of it, it has no main control, or has one that the keyboard
 * brings to no place where all of it can be seen and pressed. Runs in the page.
 */
async function outOfReach(): Promise<string[]> {
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
  const place = [...document.querySelectorAll('dialog[open], .modal')].at(-1) ?? document;
  const seen = (selector: string) =>
    [...place.querySelectorAll<HTMLElement>(selector)].filter((control) => {
      const { width } = control.getBoundingClientRect();
      return (
        width > 1 && control.checkVisibility({ visibilityProperty: true }) && !control.matches(':disabled')
      );
    });
  const primary = seen('.btn--primary, .tabbar__add');
  const controls = primary.length > 0 ? primary : seen(':is(a, button):not(.skip)').slice(0, 1);
  if (controls.length === 0) found.push('it has no control');
  const rows = Array.from({ length: innerHeight / 10 }, (_, row) => row * 10 + 5);
  // The heading of a day that has no job is all there is of it.
  const isBar = (on: Element | null): boolean =>
    on !== null &&
    !on.matches('.day-heading') &&
    (['fixed', 'sticky'].includes(getComputedStyle(on).position) || isBar(on.parentElement));
  const free = rows.filter((y) => !isBar(document.elementFromPoint(innerWidth / 2, y))).length;
  if (place === document && free < rows.length / 2) found.push(`bars leave ${free * 10} px`);
  for (const control of controls) {
    control.focus();
    await new Promise(requestAnimationFrame);
    const name = `${control.textContent.trim()} (${control.className})`;
    const { left, top, right, bottom } = control.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
      found.push(`${name} is at ${[left, top, right, bottom].map(Math.round).join()}`);
      continue;
    }
    for (const [x, y] of [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 8, top + 8],
      [right - 8, bottom - 8],
    ] as const) {
      const on = document.elementFromPoint(x, y);
      if (!on || !(control.contains(on) || on.closest('label')?.contains(control))) {
        found.push(`${name} is covered by ${on?.className} at ${Math.round(x)}, ${Math.round(y)}`);
        break;
      }
    }
  }
  return found;
}

// A laptop's window of 1280 by 800 at 200 %.
const zoomed = { width: 640, height: 400 };

/** At 200 % the page scrolls one way, and its main control is in reach; and it fits a phone with large text. */
async function expectUsable(page: Page, path: string): Promise<void> {
  // What is loaded last may bring the controls.
  await expect.poll(() => page.evaluate(outOfReach), { message: path }).toEqual([]);
  for (const [percent, width] of textSizes) {
    await setText(page, percent, width);
    expect.soft(await page.evaluate(tooWide), `${path} at ${percent} %`).toEqual([]);
  }
  await page.setViewportSize(zoomed);
}

/**
 * The path leads where it should, to a page that is valid as the server answers it and once it shows what it loads, runs no text,
 * and is usable in every size.
 */
async function expectWhole(page: Page, path: string, visitor: 'out' | 'in'): Promise<void> {
  const answered = await page.request.get(path);
  expect.soft(await htmlFaults(await answered.text()), `${path} as answered`).toEqual([]);
  await openWhole(page, path);
  if (path !== laptopRoute) await expectShown(page, path, visitor);
  await expectValid(page, `${path} in the browser`);
  await expectTextsOnly(page, answered.headers());
  await expectUsable(page, path);
}

test.describe('valid, in reach at 200 %, and fitting with large text and a name of one long word', {
  tag: '@desktop',
}, () => {
  test.use({ viewport: zoomed, deviceScaleFactor: 2 });
  test.slow();

  test('are pages of visitors', async ({ page, account, register }) => {
    for (const path of [...visitorPages, `/t/${account.slug}`, `/t/${account.slug}/sent`])
      await expectWhole(page, path, 'out');
    // The name of one long word is too long for a title, and a check has no outcome yet.
    const { slug } = await register({ tradingName: longWord });
    for (const path of ['/', `/t/${slug}`, `/t/${slug}/sent`, '/check']) {
      await openWhole(page, path);
      await expectUsable(page, path);
    }
  });

  test('are pages of a tradie, without a job and with some', async ({ page, register }) => {
    const account = await register({ tradingName: longWord, firstName: longWord, lastName: longWord });
    const ask = await logInByApi(page, account);
    for (const path of tradiePages) await expectWhole(page, path, 'in');
    await postRequest(page, aCustomer('Waits'), `/t/${account.slug}`);
    const lead = await firstJob(ask);
    const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
      ...{ ...aTypedJob('Zoomed'), scheduledAt: slot(1, '10:30') },
    });
    for (const path of [
      ...['/', '/jobs/all?view=all', '/jobs/new?view=new', '/jobs/today?view=today'],
      ...[lead, job.id].map((id) => `/jobs/details/${id}`),
      ...[`/jobs/details/${job.id}/record`, `/jobs/details/${job.id}/as-at`, '/jobs/as-at'],
    ])
      await expectWhole(page, path, 'in');
  });
});

test('pages that show more on a laptop are valid there', { tag: '@desktop' }, async ({ page, account }) => {
  test.slow();
  const ask = await logInByApi(page, account);
  await openWhole(page, '/');
  await expectValid(page, 'a dashboard without jobs');
  await postRequest(page, aCustomer('Valid'), `/t/${account.slug}`);
  const job = `/jobs/details/${await firstJob(ask)}`;
  const lists = tradiePages.filter((path) => path === '/' || path.startsWith('/jobs/'));
  for (const path of [...lists, job, `${job}/record`, `${job}/as-at`]) {
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
