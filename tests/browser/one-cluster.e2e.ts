import { expect, type Page } from '@playwright/test';
import { test } from '#tests/support/browser/accounts.ts';
import { aTypedJob, linkOf, logInByApi, messageTo } from '#tests/support/browser/browser.ts';
import { openWhole, tooWide } from '#tests/support/browser/page.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

/** One character as people count them, of so many code points that no line holds it and no browser breaks it. */
const cluster = '\u0e01'.padEnd(90, '\u0e33');
const email = 'cluster@example.com';

/** At both widths nothing scrolls sideways, and every control is in the window. */
async function expectInWindow(page: Page): Promise<void> {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect.soft(await page.evaluate(tooWide), `${page.url()} at ${width} px`).toEqual([]);
  }
}

test('what a stranger types as one character of ninety code points widens no page', {
  tag: '@phone',
}, async ({ page, account }) => {
  test.slow();
  const ask = await logInByApi(page, account);
  await ask('POST', '/form', { trade: 'plumbing', question: cluster, seq: 1 });
  const { form } = await ask<{ form: { questions: { id: string; tradie: string | null }[] } }>(
    'GET',
    '/form',
  );
  const own = form.questions.filter(({ tradie }) => tradie !== null);
  const answer = await page.request.post(`/t/${account.slug}`, {
    form: {
      ...{ title: cluster, name: cluster, address: cluster, phone: '0491 570 156', email },
      ...{ description: cluster, wishedTime: cluster },
      ...Object.fromEntries(own.map(({ id }) => [`answer.${id}`, cluster])),
    },
    headers: { 'sec-fetch-site': 'same-origin' },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  const jobs = async () => (await ask<{ jobs: { id: string }[] }>('GET', '/jobs')).jobs;
  await expect.poll(async () => (await jobs()).length).toBe(1);
  const lead = (await jobs())[0]?.id;
  const { job } = await ask<{ job: { id: string } }>('POST', '/jobs', {
    ...{ ...aTypedJob(cluster), title: cluster, name: cluster, address: cluster },
    scheduledAt: slot(1, '10:30'),
  });
  await ask('PUT', `/jobs/${job.id}`, { notes: cluster });
  await ask('PUT', '/settings/intro', { intro: cluster });
  const lists = ['/jobs/today?view=today', '/jobs/new?view=new', '/jobs/all?view=all'];
  for (const path of ['/', ...lists]) {
    for (const appearance of path === '/' ? [null] : ['List', 'Cards']) {
      await page.goto(path);
      await expect(page.getByRole('article').first()).toBeVisible();
      if (appearance) await page.getByRole('button', { name: appearance, exact: true }).click();
      await expectInWindow(page);
    }
  }
  const ofJob = (id?: string) => ['', '/record', '/as-at'].map((part) => `/jobs/details/${id}${part}`);
  const panels = ['business-details', 'enquiry-form', 'notifications'].map(
    (panel) => `/profile?panel=${panel}`,
  );
  for (const path of [
    ...[...ofJob(lead), ...ofJob(job.id), '/jobs/as-at', '/chatbot'],
    ...['/profile', ...panels, '/profile/form', '/profile/intro', '/profile/brand'],
  ]) {
    await openWhole(page, path);
    await expectInWindow(page);
  }
  const links = [
    linkOf(await messageTo(page, email, '/not-needed/')),
    linkOf(await messageTo(page, account.email, '/answer/')),
  ];
  for (const path of [`/t/${account.slug}`, `/t/${account.slug}/sent`, ...links]) {
    await page.goto(path);
    await expectInWindow(page);
  }
});
