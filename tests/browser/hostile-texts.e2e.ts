import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { logInByApi } from '#tests/support/browser/browser.ts';
import { xssPayloads } from '#tests/support/scenarios/files.ts';

/** Counts what a payload would do on every page from now on; answers the sums. */
async function watchForScripts(page: Page): Promise<() => Promise<unknown>> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction('report', (what: string) => seen.push(what));
  await page.addInitScript(() => {
    const { report } = window as unknown as { report(what: string): void };
    document.addEventListener('securitypolicyviolation', (event) => {
      report(`CSP: ${event.violatedDirective}`);
    });
  });
  return async () => {
    if (await page.evaluate(() => '__x' in window)) seen.push(`a script ran on ${page.url()}`);
    return seen;
  };
}

/** All of them, in as many texts of at most `length` characters as that takes. */
function packed(length: number): string[] {
  const texts: string[] = [];
  for (const payload of xssPayloads) {
    const joined = `${texts.at(-1) ?? ''}${payload}`;
    if (texts.length > 0 && joined.length <= length) texts[texts.length - 1] = joined;
    else texts.push(payload);
  }
  return texts;
}

test('forty scripts in every field of a form stay text on every page', { tag: '@desktop' }, async ({
  page,
  register,
}) => {
  expect(xssPayloads).toHaveLength(40);
  const [short, line, long] = [packed(100), packed(300), packed(1000)];
  const [tradingName = '', tagline = ''] = short;
  const account = await register({ tradingName, tagline, intro: line[0] ?? '' });
  const ask = await logInByApi(page, account);
  for (const question of xssPayloads) await ask('POST', '/form', { trade: 'plumbing', question, seq: 1 });
  const form = { title: '', name: '', address: '', description: packed(2000)[0] ?? '', wishedTime: '' };
  const questions = await ask<{ form: { questions: { id: string; tradie: string | null }[] } }>(
    'GET',
    '/form',
  );
  const own = questions.form.questions.filter(({ tradie }) => tradie !== null);
  for (const [index, title] of short.entries()) {
    const answers = own.map(({ id }, at) => [`answer.${id}`, long[at % long.length] ?? ''] as const);
    const answer = await page.request.post(`/t/${account.slug}`, {
      form: {
        ...{ ...form, title, name: title, address: line[index % line.length] ?? '' },
        ...{ wishedTime: title, email: 'aroha@example.com', phone: '0491 570 156' },
        ...Object.fromEntries(answers),
      },
      headers: { 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(303);
  }
  const found = () => ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  await expect.poll(async () => (await found()).jobs.length).toBeGreaterThan(0);
  const [job] = (await found()).jobs;
  const seen = await watchForScripts(page);
  const details = `/jobs/details/${job?.id}`;
  const ofJob = [details, `${details}/record`, `${details}/as-at`];
  const pages = [`/t/${account.slug}`, '/', '/jobs/new?view=new', ...ofJob];
  for (const path of [...pages, '/profile', '/profile/form']) {
    await page.goto(path);
    await expect(page.getByText(/<script|<img|<svg|onfocus/).first()).toBeVisible();
    expect(await seen(), path).toEqual([]);
  }
});
