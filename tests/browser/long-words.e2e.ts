import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import {
  type AskApi,
  aTypedJob,
  createButton,
  linkOf,
  logInByApi,
  messageTo,
  typeJob,
} from '#tests/support/browser/browser.ts';
import { expectFits } from '#tests/support/browser/page.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

/** A word of 100 letters that no line breaks by itself; its beginning names where it was typed. */
const wordOf = (field: string, length = 100) => `${field}Qwertzuiop`.padEnd(length, 'asdfghjkly');
const addressOf = (field: string) => `https://example.com/${wordOf(field, 80)}`;

const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`;
const business = {
  ...{ tradingName: wordOf('Business'), tagline: wordOf('Tagline') },
  ...{
    intro: `${addressOf('Intro')} ${wordOf('About')}`,
    firstName: wordOf('First', 60),
    lastName: wordOf('Last', 60),
  },
};

/** What a customer types into every field, the questions included. */
async function requestByForm(page: Page, slug: string, ask: AskApi): Promise<string> {
  const { form } = await ask<{ form: { questions: { id: string; tradie: string | null }[] } }>(
    'GET',
    '/form',
  );
  const own = form.questions.filter(({ tradie }) => tradie !== null);
  const answers = own.map(({ id }) => [`answer.${id}`, wordOf('Answer')]);
  const title = wordOf('Requested');
  const answer = await page.request.post(`/t/${slug}`, {
    form: {
      ...{ title, name: wordOf('Customer'), address: wordOf('Address'), phone: '0491 570 156', email },
      ...{ description: `${addressOf('Description')} ${wordOf('More')}`, wishedTime: wordOf('Wished') },
      ...Object.fromEntries(answers),
    },
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  return jobCalled(ask, title);
}

async function jobCalled(ask: AskApi, title: string): Promise<string> {
  const find = async () => {
    const { jobs } = await ask<{ jobs: { id: string; title: string }[] }>('GET', '/jobs');
    return jobs.find((job) => job.title === title)?.id ?? '';
  };
  await expect.poll(find, { intervals: [50, 100, 200] }).not.toBe('');
  return find();
}

/** A job of every kind of list: asked for by a customer, and made by hand for today with notes of one word. */
async function fill(page: Page, slug: string, ask: AskApi): Promise<{ requested: string; made: string }> {
  await ask('POST', '/form', { trade: 'plumbing', question: wordOf('Question'), seq: 1 });
  const requested = await requestByForm(page, slug, ask);
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
    ...{ name: wordOf('Customer'), email, phone: '0491 570 157', address: wordOf('Address') },
    ...{
      title: wordOf('Made'),
      notes: `${addressOf('Notes')} ${wordOf('Typed')}`,
      lat: null,
      lng: null,
      placeId: null,
    },
    scheduledAt: null,
  });
  await ask('PUT', `/jobs/${job.id}`, { notes: wordOf('Changed') });
  return { requested, made: job.id };
}

test.describe('a word of 100 letters fits', { tag: '@phone' }, () => {
  test('on the pages of a customer', async ({ page, register }) => {
    const account = await register(business);
    const ask = await logInByApi(page, account);
    await fill(page, account.slug, ask);
    await page.goto(`/t/${account.slug}`);
    await expect(page.getByRole('banner')).toContainText('Business');
    await expectFits(page, ['Business', 'Tagline', 'Intro', 'Question']);
    for (const field of await page.locator('textarea, input[type="text"], input:not([type])').all()) {
      if (await field.isVisible()) await field.fill(wordOf('Typed'));
    }
    await page.getByRole('button', { name: /^Send to/ }).click();
    await expectFits(page, ['Business']);
    await page.goto(`/t/${account.slug}/sent`);
    await expectFits(page, ['Business']);
  });

  test('on the pages behind the links of messages', async ({ page, register }) => {
    const account = await register(business);
    const ask = await logInByApi(page, account);
    await fill(page, account.slug, ask);
    await page.goto(linkOf(await messageTo(page, email, '/not-needed/')));
    await expectFits(page, ['Business']);
    const alert = await messageTo(page, account.email, '/answer/');
    await page.goto(linkOf(alert));
    await expectFits(page, ['Business', 'Requested']);
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByRole('button', { name: 'Accept' })).toHaveCount(0);
    await expectFits(page, ['Requested']);
  });

  test('on the dashboard, in both appearances of every list, and on the details', async ({
    page,
    register,
  }) => {
    const account = await register(business);
    const ask = await logInByApi(page, account);
    const { requested, made } = await fill(page, account.slug, ask);
    await page.goto('/');
    await expectFits(page, ['Requested']);
    for (const view of ['new', 'all']) {
      await page.goto(`/jobs/${view}?view=${view}`);
      await expectFits(page, ['Requested', 'Made', 'Address']);
      await page.getByRole('button', { name: /list/i }).click();
      await expectFits(page, ['Requested', 'Made', 'Address']);
      await page.getByRole('button', { name: /cards/i }).click();
    }
    await page.goto('/jobs/as-at');
    await expectFits(page, ['Requested', 'Made', 'Address']);
    await page.goto(`/jobs/details/${requested}`);
    await expectFits(page, ['Requested', 'Customer', 'More', 'Answer', 'Question']);
    await page.getByRole('button', { name: 'Accept' }).first().click();
    await expect(page.getByText('aaaaaaaa').first()).toBeVisible();
    await expectFits(page, ['Requested', 'Customer', 'Description', 'Answer', 'Question', 'aaaaaaaaaa']);
    await page.goto(`/jobs/details/${made}`);
    await expectFits(page, ['Made', 'Customer', 'Address', 'Changed']);
    await ask('PUT', `/jobs/${made}`, { scheduledAt: slot(1, '10:30') });
    for (const path of ['/', '/jobs/today?view=today']) {
      await page.goto(path);
      await expectFits(page, ['Made', 'Address']);
    }
    const job = { ...aTypedJob('Toast'), title: wordOf('Toast'), phone: '0491 570 157' };
    await page.route('**/api/jobs/hints?*', (route) => route.abort());
    await page.goto('/jobs/add');
    await typeJob(page, job);
    await expectFits(page, []);
    await createButton(page).click();
    await expect(page.getByRole('listitem').filter({ hasText: /Same phone as Made/ })).toBeVisible();
    await expectFits(page, ['Toast', 'Made']);
  });

  test('on the profile, its panels and the enquiry form', async ({ page, register }) => {
    const account = await register(business);
    const ask = await logInByApi(page, account);
    await fill(page, account.slug, ask);
    await page.goto('/profile');
    await expectFits(page, ['Business', 'First']);
    for (const panel of ['business-details', 'notifications', 'security', 'proof']) {
      await page.goto(`/profile?panel=${panel}`);
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectFits(page, []);
    }
    for (const path of ['/profile?panel=enquiry-form', '/profile/form']) {
      await page.goto(path);
      await expectFits(page, ['Question']);
    }
    for (const path of ['/profile/intro', '/profile/brand']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectFits(page, []);
    }
  });

  test('in what Kel is asked and answers', async ({ page, register }) => {
    const account = await register(business);
    const ask = await logInByApi(page, account);
    await fill(page, account.slug, ask);
    await page.goto('/chatbot');
    await expect(page.locator('.chat__day')).toHaveText(/\d/);
    const field = page.getByLabel('Message Kel');
    await field.fill(`find ${wordOf('Made')}`);
    await field.press('Enter');
    const log = page.getByRole('log', { name: 'Conversation' });
    await expect(log.getByRole('link', { name: wordOf('Made') })).toBeVisible();
    await expectFits(page, ['Made']);
  });
});
