import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aCustomer, aTypedJob, logInByApi, openMonth, postRequest } from '#tests/support/browser/browser.ts';
import { longWord, openWhole, setText, textSizes, tooWide } from '#tests/support/browser/page.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

test('dashboard and lists fit a phone with text of 130 % and a small one with 160 %, long words included', {
  tag: '@phone',
}, async ({ page, account }) => {
  const ask = await logInByApi(page, account);
  await postRequest(page, { ...aCustomer(longWord), name: longWord }, `/t/${account.slug}`);
  await ask('POST', '/jobs', { ...aTypedJob(longWord), title: longWord, scheduledAt: slot(1, '10:30') });
  await ask('POST', '/jobs', { ...aTypedJob(longWord), name: longWord, address: longWord });
  for (const path of ['/', '/jobs/new?view=new', '/jobs/all?view=all', '/jobs/today?view=today']) {
    for (const appearance of path === '/' ? [null] : ['List', 'Cards']) {
      await page.goto(path);
      await expect(page.getByRole('article').first()).toBeVisible();
      if (appearance) await page.getByRole('button', { name: appearance, exact: true }).click();
      for (const [percent, width] of textSizes) {
        await setText(page, percent, width);
        expect(await page.evaluate(tooWide), `${path} as ${appearance} at ${percent} %`).toEqual([]);
      }
    }
  }
});

/** Opens each page at both sizes of text; the width is asked for first, because some pages choose by it what they show. */
async function expectAllFit(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.setViewportSize({ width: 390, height: 844 });
    await openWhole(page, path);
    for (const [percent, width] of textSizes) {
      await setText(page, percent, width);
      expect.soft(await page.evaluate(tooWide), `${path} at ${percent} %`).toEqual([]);
    }
  }
}

test('pages of a job with one long word everywhere fit both', {
  tag: '@phone',
}, async ({ page, register }) => {
  test.slow();
  const account = await register({ tradingName: longWord, firstName: longWord, lastName: longWord });
  const ask = await logInByApi(page, account);
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
    ...{ ...aTypedJob(longWord), title: longWord, name: longWord, address: longWord },
  });
  await expectAllFit(page, [
    `/jobs/details/${job.id}`,
    `/jobs/details/${job.id}/record`,
    `/jobs/details/${job.id}/as-at`,
    '/jobs/as-at',
    '/',
  ]);
});

test('when the customer would like it is read in words, and not letter below letter', {
  tag: '@phone',
}, async ({ page, account }) => {
  const ask = await logInByApi(page, account);
  const wanted = { ...aCustomer('Wished'), wishedTime: 'Today, any time' };
  await postRequest(page, wanted, `/t/${account.slug}`);
  const jobs = async () => (await ask<{ jobs: { id: string }[] }>('GET', '/jobs')).jobs;
  await expect.poll(async () => (await jobs()).length).toBe(1);
  await openWhole(page, `/jobs/details/${(await jobs())[0]?.id}`);
  await setText(page, 160, 320);
  const words = page.getByText('Today, any time').filter({ visible: true });
  const lines = await words.evaluate((shown) => {
    const { lineHeight } = getComputedStyle(shown);
    return Math.round(shown.getBoundingClientRect().height / Number.parseFloat(lineHeight));
  });
  expect(lines).toBeLessThanOrEqual(2);
});

/** What of the open sheet of a schedule is cut, is wider than the window, or leaves the days and times no room. */
function crampedIn(sheet: HTMLElement | SVGElement): string[] {
  const body = sheet.querySelector('.panel__body') ?? sheet;
  const found = [sheet, body]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => `${box.className} is ${box.scrollWidth} px wide`);
  if (body.clientHeight < sheet.clientHeight / 2)
    found.push(`the days and times have ${body.clientHeight} px`);
  for (const text of sheet.querySelectorAll(
    '.slots__grid button, .cal :is(th, tr:not(.is-over) button), .picker__sum',
  )) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const { width } = range.getBoundingClientRect();
    const { height } = text.getBoundingClientRect();
    // An element and its text lie on one line.
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    const most = text.matches('.picker__sum') ? 2 : 1;
    if (lines > most) found.push(`${text.textContent} has ${lines} lines`);
    if (width > text.clientWidth)
      found.push(`${text.textContent} is ${width} px wide in ${text.clientWidth}`);
    if (height === 0) found.push(`${text.textContent} is not drawn`);
  }
  return found;
}

/** Words of controls that are broken, or reach over the edge of theirs. */
function brokenWords(parts: readonly Element[]): string[] {
  const found: string[] = [];
  for (const part of parts) {
    const edge = part.getBoundingClientRect();
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { index, 0: word } of (text.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const { right } = range.getBoundingClientRect();
        if (range.getClientRects().length > 1 || right > edge.right) found.push(word);
      }
    }
  }
  return found;
}

test('days and times are chosen with both sizes of text', { tag: '@phone' }, async ({ page, account }) => {
  const ask = await logInByApi(page, account);
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
    ...{ ...aTypedJob('Large'), scheduledAt: slot(1, '10:30') },
  });
  await openWhole(page, `/jobs/details/${job.id}`);
  await page.getByRole('button', { name: /^Schedule/ }).click();
  const sheet = page.getByRole('dialog');
  for (const [percent, width] of [
    [100, 320],
    [130, 390],
    [160, 320],
  ] as const) {
    await setText(page, percent, width);
    expect.soft(await sheet.evaluate(crampedIn), `a week at ${percent} %`).toEqual([]);
    await openMonth(page);
    expect.soft(await sheet.evaluate(crampedIn), `at ${percent} %`).toEqual([]);
    const named = sheet.locator('.picker__head strong, .quick button, .picker__do .btn');
    expect.soft(await named.evaluateAll(brokenWords), `at ${percent} %`).toEqual([]);
    const [clear, done] = await sheet
      .locator('.picker__do .btn')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
    expect.soft(clear, `Clear stands beside Done at ${percent} %`).toBe(done);
    await sheet.getByRole('button', { expanded: true }).click();
  }
  await sheet.getByRole('button', { name: '5:30PM' }).click();
  await sheet.getByRole('button', { name: 'Done' }).click();
  const toast = page.locator('.toast').filter({ hasText: 'Job updated successfully' });
  await expect(toast).toBeVisible();
  expect(await toast.locator('.toast__text, .toast__undo').evaluateAll(brokenWords)).toEqual([]);
});

test('no word of the controls of a job is broken by large text', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const ask = await logInByApi(page, account);
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
    ...{ ...aTypedJob('Words'), scheduledAt: slot(1, '10:30') },
  });
  await ask('PUT', `/jobs/${job.id}`, { status: 'In progress' });
  await openWhole(page, `/jobs/details/${job.id}`);
  await setText(page, 160, 320);
  await page.getByRole('combobox', { name: 'Job status' }).click();
  await expect(page.getByRole('option', { name: /^Completed/ })).toContainText('next');
  expect(await page.locator('.option, .thumbbar .btn').evaluateAll(brokenWords)).toEqual([]);
});

for (const tradingName of ['Northcote Plumbing', 'Wellington Refrigeration']) {
  test(`no word of ${tradingName} is broken at the top of its form by text of twice the size`, {
    tag: '@phone',
  }, async ({ page, register }) => {
    const account = await register({ tradingName, tagline: 'Hot water, drains and gas' });
    await page.goto(`/t/${account.slug}`);
    const head = page.locator('.biz-head__text > p, .biz-call');
    await expect(head.first()).toHaveText(tradingName);
    for (const [percent, width] of [
      [200, 390],
      [160, 320],
    ] as const) {
      await setText(page, percent, width);
      expect.soft(await head.evaluateAll(brokenWords), `at ${percent} %`).toEqual([]);
      expect.soft(await page.evaluate(tooWide), `at ${percent} %`).toEqual([]);
    }
  });
}

test('the welcome fits both', { tag: '@phone' }, async ({ page, register }) => {
  await logInByApi(page, await register({ tradingName: longWord }, { isNew: true }));
  await expectAllFit(page, ['/profile']);
});

test('the chip of the chosen view is in sight where not all of them are', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  await logInByApi(page, account);
  await page.setViewportSize({ width: 320, height: 844 });
  await page.goto('/jobs/all?view=all');
  const chip = page.getByRole('navigation', { name: 'Job views' }).getByRole('link', { name: 'All jobs' });
  await expect(chip).toBeInViewport({ ratio: 1 });
});
