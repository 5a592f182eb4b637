import { expect, type Locator, type Page } from '@playwright/test';
import type { JobView } from '#core/job/view.ts';
import { type Account, test } from '#tests/support/browser/accounts.ts';
import {
  type AskApi,
  aCustomer,
  type Customer,
  logInByApi,
  postRequest,
} from '#tests/support/browser/browser.ts';
import { changeAnswer } from '#tests/support/browser/page.ts';
import { png } from '#tests/support/scenarios/files.ts';
import { slot } from '#tests/support/scenarios/job-requests.ts';

/** A thumb on the phone, which counts what it does. */
function aThumb() {
  let taps = 0;
  return {
    tap: async (target: Locator) => {
      taps += 1;
      await target.tap();
    },
    /** Counts a link that leaves Ute, once it can be tapped; it is read and not followed. */
    leave: async (link: Locator, href: RegExp) => {
      taps += 1;
      await link.tap({ trial: true });
      await expect(link).toHaveAttribute('href', href);
    },
    taps: () => taps,
  };
}

/** Half past nine of tomorrow: whatever the hour is where the business is, the server takes it. */
const planned = slot(1, '09:30');
const minute = 60_000;

const message = 'Water runs down the wall of the laundry.';
const photo = '/api/media/pipe?exp=1';

/** The dashboard so many minutes after the planned time of the one job, or before it. The server's clock is left alone. */
async function openDashboard(page: Page, { customer, ask }: Lead, minutesAfter: number): Promise<Locator> {
  const { jobs } = await ask<{ jobs: { id: string }[] }>('GET', '/jobs');
  const id = jobs[0]?.id;
  await ask('PUT', `/jobs/${id}/accept`);
  await ask('PUT', `/jobs/${id}`, { status: 'In progress', scheduledAt: planned });
  await page.clock.setFixedTime(Date.parse(planned) + minutesAfter * minute);
  await page.goto('/');
  return page.getByRole('region', { name: 'Next up' }).getByRole('article', { name: customer.title });
}

type Lead = Readonly<{ customer: Customer; ask: AskApi }>;

/** A business whose one job waits for its answer. */
async function aLead(page: Page, account: Account): Promise<Lead> {
  const customer = aCustomer('Burst pipe');
  const ask = await logInByApi(page, account);
  await postRequest(page, { ...customer, description: message }, `/t/${account.slug}`);
  await expect.poll(async () => (await ask<{ jobs: unknown[] }>('GET', '/jobs')).jobs.length).toBe(1);
  return { customer, ask };
}

test('two taps answer a lead, after its message and its photos were seen', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const { customer } = await aLead(page, account);
  const media = [{ url: photo, thumb: `${photo}&size=thumb`, name: 'pipe.png', mime: 'image/png' }];
  await page.route('**/api/media/pipe*', (route) =>
    route.fulfill({ contentType: 'image/png', body: Buffer.from(png(300, 200)) }),
  );
  await page.route(/\/api\/jobs\/[0-9a-f-]{36}$/, (route) =>
    changeAnswer<{ job: JobView }>(route, (answer) => ({ ...answer, job: { ...answer.job, media } })),
  );
  await page.goto('/');
  const thumb = aThumb();
  await thumb.tap(page.getByRole('article', { name: customer.title }).getByRole('link').first());
  await expect(page.getByText(message)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('list', { name: 'Photos', exact: true }).getByRole('link')).toBeInViewport();
  await thumb.tap(page.getByRole('button', { name: 'Accept' }));
  await expect(page.getByText('Job has been accepted!')).toBeVisible();
  expect(thumb.taps()).toBe(2);
});

test('one tap drives to the next job, and one calls its customer', { tag: '@phone' }, async ({
  page,
  account,
}) => {
  const row = await openDashboard(page, await aLead(page, account), -90);
  const driver = aThumb();
  await driver.leave(row.getByRole('link', { name: /^Directions/ }), /^https:.*maps/);
  expect(driver.taps()).toBe(1);
  const caller = aThumb();
  await caller.leave(row.getByRole('link', { name: /^Call/ }), /^tel:\+61491570156$/);
  expect(caller.taps()).toBe(1);
});

test('two taps tell the customer of today that one is late', { tag: '@phone' }, async ({ page, account }) => {
  const row = await openDashboard(page, await aLead(page, account), -90);
  const thumb = aThumb();
  await thumb.tap(row.getByRole('link', { name: /Burst pipe/ }).first());
  await thumb.leave(page.getByRole('link', { name: 'Running late' }), /^sms:\+61491570156\?&body=.*late/);
  expect(thumb.taps()).toBe(2);
});

test('two taps move a job of today to tomorrow, same time, whether its time is still to come or went by', {
  tag: '@phone',
}, async ({ page, account }) => {
  const lead = await aLead(page, account);
  const now = new Date(planned);
  for (const minutesAfter of [-90, 90]) {
    const row = await openDashboard(page, lead, minutesAfter);
    const thumb = aThumb();
    await thumb.tap(row.getByRole('link', { name: /Burst pipe/ }).first());
    await thumb.tap(page.getByRole('button', { name: 'Tomorrow, same time' }));
    await expect(page.getByText(/^Moved to /)).toBeVisible();
    expect(thumb.taps()).toBe(2);
    await expect(page.getByRole('button', { name: 'Tomorrow, same time' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Schedule / })).toBeFocused();
    const { jobs } = await lead.ask<{ jobs: { scheduledAt: string }[] }>('GET', '/jobs');
    expect(jobs.map((job) => job.scheduledAt)).toEqual([slot(1, '09:30', { now })]);
  }
});

test('four taps finish a job with notes and a photo', { tag: '@phone' }, async ({ page, account }) => {
  const lead = await aLead(page, account);
  const row = await openDashboard(page, lead, -90);
  const thumb = aThumb();
  await thumb.tap(row.getByRole('link', { name: /Burst pipe/ }).first());
  const notes = page.getByRole('textbox', { name: 'Notes' });
  await thumb.tap(notes);
  await notes.pressSequentially('New valve');
  const camera = page.waitForEvent('filechooser');
  await thumb.tap(page.getByText('Add photo'));
  await (await camera).setFiles({
    name: 'valve.png',
    mimeType: 'image/png',
    buffer: Buffer.from(png(300, 200)),
  });
  await thumb.tap(page.getByRole('button', { name: 'Mark completed' }));
  await expect(page.getByText('Completed, was In progress')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Photo 1 of 1, during' })).toBeVisible();
  expect(thumb.taps()).toBe(4);
  await expect
    .poll(async () => {
      const { jobs } = await lead.ask<{ jobs: { id: string }[] }>('GET', '/jobs');
      return lead.ask('GET', `/jobs/${jobs[0]?.id}`);
    })
    .toMatchObject({ job: { status: 'Completed', notes: 'New valve', photos: [{ stage: 'during' }] } });
});
