import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import { keyVariables } from '#api/runtime/config/keys.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobReference } from '#core/values/job-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type Ran, runUte } from '#tests/support/processes/processes.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { aNewJob, dateIn } from '#tests/support/scenarios/job-requests.ts';

const day = 86_400_000;
const folder = tempFolder('disputes');
let api: TestApp;
let acme: SignedIn;
let ahead = 0;
let forgetting: ReturnType<typeof erasing>['deps'];
beforeAll(async () => {
  api = await testApp({ processes: true, now: () => new Date(Date.now() + ahead) });
  acme = await api.signIn();
  forgetting = erasing(api).deps;
});
afterAll(async () => {
  await api?.close();
  folder.remove();
});

function ute(...words: string[]): Promise<Ran> {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = { DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path };
  const ledger = { ERASURES_TO: join(folder.path, 'erasures.log') };
  return runUte({ ...Object.fromEntries(keys), ...environment, ...ledger }, ...words);
}

const aJob = async (title: string) =>
  (await acme.post('/api/jobs', aNewJob({ title }))).body.job.id as string;

test('a job in dispute is not removed, by its tradie or the operator, until the dispute ends', async () => {
  const id = await aJob('Not paid yet');
  const until = dateIn(60);
  const words = `There is a dispute about this job: the customer's details stay until ${until}`;
  expect(await ute('hold', 'add', 'job', id, '--until', until, '--reason', 'Not paid')).toEqual({
    ...{ out: `job ${id}: nothing is erased until ${until}\n`, err: '', code: 0 },
  });
  const refused = await acme.post(`/api/jobs/${id}/erasure`, { others: [] });
  expect([refused.status, refused.body.message]).toEqual([409, words]);
  expect(await ute('forget', 'job', id, '--now')).toEqual({ out: '', err: `${words}\n`, code: 1 });
  expect((await ute('forget', 'job', jobReference(id), '--dry-run')).out).toContain(
    'kept meanwhile: a job is in dispute until',
  );
  expect((await ute('hold', 'list')).out).toBe(`job ${id}  until ${until}  Not paid\n`);
  const { history } = (await acme.get(`/api/jobs/${id}/history`)).body;
  expect(history[0].text).toBe('Ute noted a dispute: nothing is removed');

  expect((await ute('hold', 'end', 'job', jobReference(id).toLowerCase())).code).toBe(0);
  expect((await ute('hold', 'list')).out).toBe('nothing is kept\n');
  expect((await acme.post(`/api/jobs/${id}/erasure`, { others: [] })).status).toBe(200);
}, 60_000);

test('a removal that was asked for before waits for the end of the dispute, and holds up no other', async () => {
  const [kept, free] = [await aJob('Kept'), await aJob('Free')];
  for (const id of [kept, free]) {
    const erasure = { erasureId: crypto.randomUUID(), scope: 'jobs', basis: 'tradie' } as const;
    await requestErasure(forgetting, { ...erasure, businessId: acme.businessId, ids: [id] });
  }
  expect((await ute('hold', 'add', 'job', kept, '--until', dateIn(20))).code).toBe(0);
  const isErased = async (id: string) =>
    (await api.deps.store.readStream(streamName('job', id))).some(({ type }) => type === 'JobCustomerErased');
  try {
    ahead = 8 * day;
    await carryOutDue(forgetting);
    expect([await isErased(kept), await isErased(free)]).toEqual([false, true]);
    ahead = 21 * day;
    await carryOutDue(forgetting);
    expect(await isErased(kept)).toBe(true);
  } finally {
    ahead = 0;
  }
}, 60_000);

test('a day that has passed, one in two years and no date are refused in one line', async () => {
  const id = await aJob('Paid');
  for (const date of [dateIn(-1), dateIn(800)]) {
    expect(await ute('hold', 'add', 'job', id, '--until', date)).toEqual({
      ...{ out: '', err: 'Choose a day within the next 12 months\n', code: 1 },
    });
  }
  for (const date of ['soon', '2027-02-30'])
    expect((await ute('hold', 'add', 'job', id, '--until', date)).err).toContain('It is no date.');
  expect(await ute('hold', 'add', 'job', crypto.randomUUID(), '--until', dateIn(9))).toMatchObject({
    ...{ err: 'There is no such job.\n', code: 1 },
  });
}, 60_000);

test('the tradie keeps what is known of a job while there is a dispute, and says when it is over', async () => {
  const id = await aJob('Who pays?');
  const path = `/api/jobs/${id}/dispute`;
  expect((await acme.get(path)).body.dispute).toBeNull();
  const opened = await acme.put(path, { until: dateIn(90), reason: ' Not paid ' });
  expect([opened.status, opened.body.dispute]).toEqual([200, { until: dateIn(90), reason: 'Not paid' }]);
  expect((await acme.get(path)).body.dispute).toEqual({ until: dateIn(90), reason: 'Not paid' });
  const refused = await acme.post(`/api/jobs/${id}/erasure`, { others: [] });
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `There is a dispute about this job: the customer's details stay until ${dateIn(90)}`,
  ]);
  // Again: until another day.
  expect((await acme.put(path, { until: dateIn(120) })).body.dispute).toEqual({
    ...{ until: dateIn(120), reason: '' },
  });
  const closed = await acme.delete(path);
  expect([closed.status, closed.body.dispute]).toEqual([200, null]);
  const { history } = (await acme.get(`/api/jobs/${id}/history`)).body;
  expect(history.slice(0, 3).map(({ text }: { text: string }) => text)).toEqual([
    'You closed the dispute',
    'You noted a dispute: nothing is removed',
    'You noted a dispute: nothing is removed',
  ]);
  expect((await acme.post(`/api/jobs/${id}/erasure`, { others: [] })).status).toBe(200);
});

test.each([
  [{ until: dateIn(-1) }, { until: 'Choose a day within the next 12 months' }],
  [{ until: dateIn(370) }, { until: 'Choose a day within the next 12 months' }],
  [{ until: '2027-02-30' }, { until: 'Choose a day within the next 12 months' }],
  [{ until: 'next year' }, { until: 'Choose a day within the next 12 months' }],
  [{ until: dateIn(30), reason: 'x'.repeat(301) }, { reason: 'Use at most 300 characters' }],
])('%j is refused with words for its field', async (body, errors) => {
  const id = await aJob('Who pays?');
  const answer = await acme.put(`/api/jobs/${id}/dispute`, body);
  expect([answer.status, answer.body.fields]).toEqual([422, errors]);
  expect((await acme.get(`/api/jobs/${id}/dispute`)).body.dispute).toBeNull();
});

test('a dispute that has ended by its day is one no more', async () => {
  const id = await aJob('Long ago');
  await acme.put(`/api/jobs/${id}/dispute`, { until: dateIn(1) });
  try {
    ahead = 2 * day;
    expect((await acme.get(`/api/jobs/${id}/dispute`)).body.dispute).toBeNull();
  } finally {
    ahead = 0;
  }
});

test('a business on hold loses nothing, by itself, its customers or the operator, until the hold ends', async () => {
  const rival = await api.signIn();
  const { id } = (await rival.post('/api/jobs', aNewJob({ title: 'Before the court' }))).body.job;
  const until = dateIn(60);
  const words = `Nothing of this business is removed until ${until}: there is a hold on it`;
  const kept = await ute('hold', 'add', 'business', rival.businessId, '--until', until, '--reason', 'Court');
  expect(kept).toEqual({
    ...{ out: `business ${rival.businessId}: nothing is erased until ${until}\n`, err: '', code: 0 },
  });
  const refused = await rival.post(`/api/jobs/${id}/erasure`, { others: [] });
  expect([refused.status, refused.body.message]).toEqual([409, words]);
  expect(await ute('forget', 'job', id, '--now')).toEqual({ out: '', err: `${words}\n`, code: 1 });
  expect((await ute('forget', 'job', id, '--dry-run')).out).toContain(
    'there is a hold on the business until',
  );
  const close = { erasureId: crypto.randomUUID(), scope: 'business', basis: 'account-closed' } as const;
  const closing = { ...close, businessId: rival.businessId, ids: [rival.businessId] };
  await expect(requestErasure(forgetting, closing)).rejects.toThrow(words);
  // Another business is free.
  expect((await acme.post(`/api/jobs/${await aJob('Elsewhere')}/erasure`, { others: [] })).status).toBe(200);
  expect((await ute('hold', 'list')).out).toContain(`business ${rival.businessId}  until ${until}  Court`);

  expect((await ute('hold', 'end', 'business', rival.businessId)).code).toBe(0);
  expect((await rival.post(`/api/jobs/${id}/erasure`, { others: [] })).status).toBe(200);
  expect(await ute('hold', 'add', 'business', crypto.randomUUID(), '--until', until)).toMatchObject({
    ...{ err: 'There is no such business.\n', code: 1 },
  });
  expect((await ute('hold', 'add', 'customer', id, '--until', until)).err).toContain(
    'It is job or business.',
  );
}, 60_000);
