import { expect, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { test } from '#tests/support/browser/accounts.ts';
import {
  type AskApi,
  aCustomer,
  demo,
  logInByApi,
  newJobPath,
  openJob,
  postRequest,
} from '#tests/support/browser/browser.ts';
import { expectAccessible } from '#tests/support/browser/page.ts';
import { png } from '#tests/support/scenarios/files.ts';

test.use({ serviceWorkers: 'allow' });
test.afterEach(({ context }) => context.setOffline(false));

const banner = (page: Page, words: string) => page.getByRole('button', { name: words });
const status = (page: Page) => page.getByRole('combobox', { name: 'Job status' });
const notes = (page: Page) => page.getByRole('textbox', { name: 'Notes' });
const schedule = (page: Page) => page.getByRole('button', { name: /^Schedule/ });
const sheet = (page: Page) => page.getByRole('dialog');

/** Waits until the browser has cached the site's pages and answers for them. */
async function untilPagesAreCached(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

async function choose(page: Page, name: string): Promise<void> {
  await status(page).click();
  await page.getByRole('option', { name }).click();
}

/** Moves a job that has a time, by the shortcut of the picker. */
async function moveToNextMonday(page: Page): Promise<void> {
  await schedule(page).click();
  await sheet(page).getByRole('button', { name: 'Next Monday' }).click();
  await sheet(page).getByRole('button', { name: 'Done' }).click();
}

const jobOf = async (ask: AskApi, id: string) => (await ask<{ job: JobView }>('GET', `/jobs/${id}`)).job;

/** What the history of a job says was done to it, the oldest first. */
async function storyOf(ask: AskApi, id: string): Promise<string[]> {
  const { history } = await ask<{ history: { what: string }[] }>('GET', `/jobs/${id}/history`);
  return history.map(({ what }) => what).toReversed();
}

/** A slot that many days from now, in the morning of Melbourne. */
const slot = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T09:30:00+11:00`;

test('changes of a dead spot outlive a reload, and are sent once and in order when the signal is back', {
  tag: '@phone',
}, async ({ page, context }) => {
  const { id, ask } = await openJob(page, 'Valley');
  await ask('PUT', `/jobs/${id}`, { scheduledAt: slot(20) });
  await expect(schedule(page)).not.toContainText('Not scheduled yet');
  await untilPagesAreCached(page);
  await context.setOffline(true);
  await choose(page, 'In progress');
  await expect(banner(page, 'No signal. 1 change waiting')).toBeVisible();
  await moveToNextMonday(page);
  await notes(page).fill('Stopcock');
  await notes(page).blur();
  await expect(page.getByText('Waiting to send. They go by themselves')).toBeVisible();
  await notes(page).fill('Stopcock in the laundry');
  await notes(page).blur();
  await expect(banner(page, 'No signal. 3 changes waiting Your jobs as of')).toBeVisible();
  const photo = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png(40, 40)) };
  await page.getByLabel('Add photo').setInputFiles([photo]);
  await page.getByRole('button', { name: 'Add 1 photo' }).click();
  await expect(page.getByText('You’re offline')).toBeHidden();

  await page.reload();
  await expect(status(page)).toContainText('In progress');
  await expect(schedule(page)).toContainText(/waiting to send.*Mon /);
  await expect(notes(page)).toHaveValue('Stopcock in the laundry');
  await page.getByRole('heading', { name: 'Job history' }).scrollIntoViewIfNeeded();
  await expect(banner(page, 'No signal. 3 changes waiting')).toBeInViewport({ ratio: 1 });
  await banner(page, 'No signal. 3 changes waiting').click();
  await expect(sheet(page).getByRole('listitem')).toHaveText([
    /In progress.*Waiting for signal/,
    /moved to Mon .*Waiting for signal/,
    /Notes on.*Waiting for signal/,
    /1 photo.*Waiting for signal/,
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(banner(page, 'No signal. 3 changes waiting')).toBeFocused();

  await context.setOffline(false);
  await expect(banner(page, 'Back online. 3 changes sent')).toBeVisible();
  await expect(page.getByText(/^Saved /)).toBeVisible();
  // The photo goes by a queue of its own, before, between or after them.
  const changes = (await storyOf(ask, id)).filter((what) => what !== 'photo-added');
  expect(changes.slice(-3)).toEqual(['status', 'schedule', 'notes']);
  const { status: now, notes: written } = await jobOf(ask, id);
  expect([now, written]).toEqual(['In progress', 'Stopcock in the laundry']);
  await expect(page.getByRole('button', { name: /changes? sent/ })).toHaveCount(0);
});

test('an accept without a signal shows no phone number before it is sent, and can be undone', {
  tag: '@phone',
}, async ({ page, context }) => {
  const customer = aCustomer('Lift');
  await postRequest(page, customer);
  const ask = await logInByApi(page, demo());
  await page.goto(newJobPath(customer));
  const card = page.getByRole('article', { name: customer.title });
  await expect(card).toBeVisible();
  await untilPagesAreCached(page);
  await context.setOffline(true);
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(card).toContainText('Accepted, waiting to send');
  await expect(card).toContainText('The phone number shows when the signal is back.');
  await expect(card.getByRole('link', { name: 'Details' })).toBeVisible();
  await card.getByRole('button', { name: 'Undo' }).click();
  await expect(banner(page, 'No signal')).toHaveCount(0);
  await card.getByRole('button', { name: 'Reject' }).click();
  await expect(card).toContainText('Rejected, waiting to send');
  await banner(page, 'No signal. 1 change waiting').click();
  await sheet(page).getByRole('button', { name: 'Take back: Aroha Tāwhiri rejected' }).click();
  await expect(sheet(page)).toContainText('Nothing is waiting');
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Accept' }).click();
  await expect(card).toContainText('Accepted, waiting to send');
  await expect(card).not.toContainText('0491');

  await context.setOffline(false);
  await expect(banner(page, 'Back online. 1 change sent')).toBeVisible();
  await expect(page.getByRole('article', { name: customer.title })).toContainText('0491 570 156');
  const found = `/jobs?search=${encodeURIComponent(customer.title)}`;
  // A list may be a moment behind what was answered.
  const statuses = async () => (await ask<{ jobs: JobView[] }>('GET', found)).jobs.map((job) => job.status);
  await expect.poll(statuses).toEqual(['To quote']);
});

test('a time that was changed elsewhere meanwhile is chosen between, and the tradie’s own is preset', {
  tag: '@desktop',
}, async ({ page }) => {
  const { id, ask } = await openJob(page, 'Two times');
  await ask('PUT', `/jobs/${id}`, { scheduledAt: slot(20) });
  await expect(schedule(page)).not.toContainText('Not scheduled yet');
  await untilPagesAreCached(page);
  // The browser reports a network, and no question gets an answer.
  await page.route('**/api/**', (route) => route.abort());
  await moveToNextMonday(page);
  await expect(banner(page, 'No signal. 1 change waiting')).toBeVisible();
  await ask('PUT', `/jobs/${id}`, { scheduledAt: slot(30) });
  await page.unroute('**/api/**');
  await banner(page, '1 change needs you Aroha Tāwhiri has two times').click();
  await expect(sheet(page).getByRole('listitem')).toContainText(
    'Your other device moved it too while you were away',
  );
  await sheet(page)
    .getByRole('button', { name: /^Choose/ })
    .click();
  await expect(sheet(page).getByRole('heading', { name: 'Which time holds?' })).toBeVisible();
  const [mine, theirs] = [sheet(page).getByRole('radio').first(), sheet(page).getByRole('radio').last()];
  await expect(mine).toBeChecked();
  await expect(mine).toBeFocused();
  await expectAccessible(page);
  await theirs.check();
  await expect(sheet(page)).toContainText('yours is dropped');
  await mine.check();
  await sheet(page)
    .getByRole('button', { name: /^Keep / })
    .click();
  await expect(sheet(page).getByRole('listitem')).toContainText('Sent');
  expect((await jobOf(ask, id)).scheduledAt).not.toBe(new Date(slot(30)).toISOString());
  expect((await storyOf(ask, id)).slice(-3)).toEqual(['schedule', 'schedule', 'schedule']);
});
