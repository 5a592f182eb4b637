import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { jobDecider } from '#core/job/job.ts';
import { jobStatuses } from '#core/job/status/statuses.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobReference } from '#core/values/job-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aJobRequest, requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
const ids: string[] = [];
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
  for (const title of ['Blocked drain', 'Hot water 100%', 'Gutter_clean']) {
    ids.push(await requestedJob(app, acme, { title }));
  }
  await acme.put(`/api/jobs/${ids[0]}/accept`);
});
afterAll(() => app.close());

const list = async (query: Record<string, string>) => acme.get(`/api/jobs?${new URLSearchParams(query)}`);
const titles = async (query: Record<string, string>) =>
  (await list(query)).body.jobs.map(({ title }: { title: string }) => title);

test('the list is the newest first, and turns round', async () => {
  expect(await titles({})).toEqual(['Gutter_clean', 'Hot water 100%', 'Blocked drain']);
  expect(await titles({ sort: 'createdAt', dir: 'asc' })).toEqual([
    'Blocked drain',
    'Hot water 100%',
    'Gutter_clean',
  ]);
});

test('a request has what its customer wrote and wants, without the contact in it, until it is accepted', async () => {
  const fresh = await app.signIn();
  const description = `${'Hot tap drips. '.repeat(9)}0491 570 157`;
  const id = await requestedJob(app, fresh, { description, wishedTime: 'Any day' });
  const card = async () => (await fresh.get('/api/jobs')).body.jobs[0];
  const asked = { words: expect.stringMatching(/drips\. \(hidd…$/), preferredTime: 'Any day' };
  expect(await card()).toMatchObject(asked);
  expect(JSON.stringify(await card())).not.toContain('0491 5');
  const { job } = (await fresh.put(`/api/jobs/${id}/accept`)).body;
  for (const accepted of [job, await card()]) {
    expect(accepted).not.toHaveProperty('words');
    expect(accepted).not.toHaveProperty('preferredTime');
  }
  const { revision } = job;
  expect((await fresh.post(`/api/jobs/${id}/undo`, { revision })).body.job).toMatchObject(asked);
});

test('pages follow each other', async () => {
  expect(await titles({ limit: '2' })).toEqual(['Gutter_clean', 'Hot water 100%']);
  expect(await titles({ limit: '2', page: '2' })).toEqual(['Blocked drain']);
  const more = async (query: Record<string, string>) => (await list(query)).body.more;
  expect([await more({ limit: '2' }), await more({ limit: '2', page: '2' })]).toEqual([true, false]);
  expect([await more({ limit: '3' }), await more({ search: 'drain', limit: '1' })]).toEqual([false, false]);
  expect(await titles({ page: '500' })).toEqual([]);
});

test('page size 75 unless asked for another', async () => {
  const busy = await app.signIn();
  await Promise.all(Array.from({ length: 101 }, (_, n) => addedJob(busy.businessId, `Job ${n}`)));
  await app.settle();
  const pageOf = async (query: string) => (await busy.get(`/api/jobs?${query}`)).body.jobs.length;
  expect(await pageOf('')).toBe(75);
  expect(await pageOf('page=2')).toBe(26);
  expect(await pageOf('limit=100')).toBe(100);
});

test('a filter takes any statuses, or none', async () => {
  expect(await titles({ filter: 'To quote' })).toEqual(['Blocked drain']);
  expect(await titles({ filter: 'Pending,Rejected,To quote' })).toHaveLength(3);
  expect(await titles({ filter: '' })).toHaveLength(3);
  expect(await titles({ filter: 'today', sort: 's.date' })).toEqual([]);
});

test('a search takes its signs literally', async () => {
  expect(await titles({ search: 'drain' })).toEqual(['Blocked drain']);
  expect(await titles({ search: '100%' })).toEqual(['Hot water 100%']);
  expect(await titles({ search: 'r_c' })).toEqual(['Gutter_clean']);
  for (const search of ['%%%', '___', "'; drop table read.job_cards; --", '\\\\\\']) {
    expect((await list({ search })).body).toEqual({ status: 'ok', jobs: [], more: false });
  }
});

test('white space in a search counts as one space between words, and as nothing around them', async () => {
  for (const search of ['blocked  drain', '  blocked drain ', 'blocked\tdrain', 'Blocked\u00a0 drain\n']) {
    expect(await titles({ search }), search).toEqual(['Blocked drain']);
  }
  expect(await titles({ search: ' \t ' })).toEqual(await titles({}));
  expect((await list({ search: 'a \t' })).status).toBe(422);
});

test('a job is found by the reference that its customer was told, in its own business alone', async () => {
  const reference = jobReference(ids[1] ?? '');
  for (const search of [
    reference,
    reference.toLowerCase(),
    ` #${reference.slice(0, 3)}-${reference.slice(3)}`,
  ]) {
    expect(await titles({ search }), search).toEqual(['Hot water 100%']);
  }
  const other = await app.signIn();
  expect((await other.get(`/api/jobs?search=${reference}`)).body.jobs).toEqual([]);
});

test('a search of signs that are not compared finds nothing', async () => {
  expect(await titles({ search: '...' })).toEqual([]);
});

test('a search ends at a hundred characters', async () => {
  expect((await list({ search: 'x'.repeat(100) })).status).toBe(200);
  expect((await list({ search: `x${' '.repeat(100)}${'y'.repeat(98)}` })).status).toBe(200);
  expect((await list({ search: 'x'.repeat(101) })).status).toBe(422);
});

test.each([
  ['page', '0'],
  ['page', '501'],
  ['page', '1.5'],
  ['page', '-1'],
  ['limit', '0'],
  ['limit', '101'],
  ['limit', '1e9'],
  ['search', 'ab'],
  ['dir', 'ASC'],
  ['sort', 's.date;drop table read.job_cards'],
  ['sort', 'created_at'],
  ['sort', 'toString'],
  ['filter', 'Pending,'],
  ['filter', 'pending'],
  ['filter', 'today,Pending'],
  ['filter', "Pending' or 'a'='a"],
  ['status', 'Pending'],
])('%s=%s is refused and not repeated', async (name, value) => {
  const answer = await list({ [name]: value });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ status: 'error', fields: {} });
  if (value.length > 4) expect(answer.text).not.toContain(value);
});

test('each parameter that is wrong says what it takes, and one that is none is refused', async () => {
  const { body } = await list({ page: '0', limit: '101', dir: 'up', filter: 'Paid,nope', status: 'Paid' });
  expect(body).toMatchObject({
    message: 'This list cannot be shown',
    fields: {
      page: 'A whole number from 1 to 500',
      limit: 'A whole number from 1 to 100',
      dir: 'asc or desc',
      filter: "Statuses with commas between, or 'today'",
      '*': 'Unknown parameter',
    },
  });
});

test.each(['tap, cold', '[tap]', '{"tap":1}'])('%s is searched for as it is', async (search) => {
  expect(await list({ search, filter: 'Pending,To quote' })).toMatchObject({
    status: 200,
    body: { jobs: [] },
  });
});

test('a parameter sent twice is refused', async () => {
  expect((await acme.get('/api/jobs?limit=1&limit=2')).status).toBe(400);
});

describe('whatever is asked', () => {
  const junk = fc.oneof(
    fc.string({ maxLength: 120 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('', '__proto__', 'null', '\0', '9'.repeat(30), "' or 1=1 --"),
  );
  const mostly = (valid: fc.Arbitrary<string>) =>
    fc.oneof({ arbitrary: valid, weight: 9 }, { arbitrary: junk, weight: 1 });
  const query = fc.record(
    {
      page: mostly(fc.integer({ min: 1, max: 500 }).map(String)),
      limit: mostly(fc.integer({ min: 1, max: 100 }).map(String)),
      search: mostly(fc.string({ minLength: 3, maxLength: 30 })),
      dir: mostly(fc.constantFrom('asc', 'desc')),
      sort: mostly(fc.constantFrom('createdAt', 'scheduledAt', 's.date')),
      filter: mostly(fc.subarray([...jobStatuses]).map((statuses) => statuses.join(','))),
    },
    { requiredKeys: [] },
  );

  test('the answer is a list or says what was wrong', async () => {
    let lists = 0;
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const { status, body } = await list(asked);
        expect([200, 400, 422]).toContain(status);
        expect(body.status).toBe(status === 200 ? 'ok' : 'error');
        if (status === 200) lists += 1;
      }),
      { numRuns: 300 },
    );
    expect(lists).toBeGreaterThan(90);
  });
});

/** A job typed in by hand, by the command alone. */
async function addedJob(businessId: string, title: string): Promise<void> {
  const jobId = Bun.randomUUIDv7();
  const { name, email, phone, address } = aJobRequest();
  const location = { address, placeId: null, lat: null, lng: null };
  const data = { jobId, businessId, name, email, phone, title, location, notes: '', scheduledAt: null };
  const command = { type: 'AddJob', at: new Date().toISOString(), data } as const;
  const cause = { commandId: jobId, actor: 'import', correlation: 'test' };
  await handleCommand(app.deps.store, jobDecider, streamName('job', jobId), command, cause);
}
