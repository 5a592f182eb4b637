import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestNote, statementKeyOf } from '#api/proof/statements.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { jobDecider } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { checkRecord } from '#core/proof/check.ts';
import { readGiven } from '#core/proof/check-log.ts';
import { type JobRecord, recordHash } from '#core/proof/record.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { secondCheck } from '#tests/support/log/second-check.ts';
import { issueRecord, signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let owner: SignedIn;
let now = new Date('2026-11-23T00:00:00Z');

beforeAll(async () => {
  app = await testApp({ now: () => now, env: { CHECKPOINTS: 'public' } });
  owner = await app.signIn();
  signForRecords(app);
});
afterAll(() => app?.close());

const issue = (jobId: string, wanted?: object) => issueRecord(owner, jobId, wanted);

/** A request that was accepted and has notes. */
async function workedOn(): Promise<string> {
  const jobId = await requestedJob(app, owner, { description: 'Ring 0491 570 156 first' });
  await owner.put(`/api/jobs/${jobId}/accept`);
  await owner.put(`/api/jobs/${jobId}`, { notes: 'Old pipes: charge more' });
  return jobId;
}

const openFields = ({ events }: JobRecord) =>
  events.flatMap(({ openings }) => Object.keys(openings)).toSorted();
const withheldFields = ({ events }: JobRecord) =>
  events.flatMap(({ withheld }) => Object.entries(withheld).map(([field, reason]) => `${field} ${reason}`));

test('a record is checked without the product, by two checks, against a checkpoint from before', async () => {
  const size = await signLog(app);
  const { note } = (await app.get(`/api/checkpoints/${size}`)).body.checkpoint;
  const jobId = await workedOn();
  const { text, record } = await issue(jobId, { anchor: size });
  const checked = checkRecord(text, readGiven(note));
  expect(checked.findings.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(checked.outcome).toBe('fits');
  expect(secondCheck(Buffer.from(text))).not.toBeNull();
  expect(record.events.map(({ type }) => type)).toEqual(['JobRequested', 'JobAccepted', 'JobNotesChanged']);
  expect(openFields(record)).toEqual(expect.arrayContaining(['email', 'name', 'notes', 'phone']));
  expect(record.asAt.at).toBeNull();
  expect(record.made.timeZone).toBe('Australia/Melbourne');
});

test('the history names each record, by the hash that its statement has', async () => {
  const jobId = await workedOn();
  const { record } = await issue(jobId);
  const events = await app.deps.store.readStream(`job-${jobId}`);
  expect(events.at(-1)?.event).toMatchObject({
    type: 'JobRecordIssued',
    data: {
      ...{ audience: 'owner', by: 'tradie', upto: 2 },
      sha256: recordHash((bytes) => createHash('sha256').update(bytes).digest(), record),
    },
  });
  const { history } = (await owner.get(`/api/jobs/${jobId}/history`)).body;
  expect(history[0]).toMatchObject({ what: 'record', text: 'You made a record of the job' });
  // The next one holds that the first was made.
  expect((await issue(jobId)).record.events.at(-1)?.type).toBe('JobRecordIssued');
});

test('the customer never reads the notes of the tradie, nor what a dispute is about', async () => {
  const jobId = await workedOn();
  const until = new Date(now.getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  expect((await owner.put(`/api/jobs/${jobId}/dispute`, { until, reason: 'Will not pay' })).status).toBe(200);
  const { text, record } = await issue(jobId, { audience: 'customer' });
  expect(text).not.toContain('Old pipes');
  expect(text).not.toContain('Will not pay');
  expect(withheldFields(record)).toEqual(['notes not-for-you', 'reason not-for-you']);
  expect(checkRecord(text).outcome).toBe('fits-itself');
});

test('the business reads why it rejected a request, the customer only that it said so', async () => {
  const jobId = await requestedJob(app, owner);
  await owner.put(`/api/jobs/${jobId}/reject`);
  const { businessId, accountId } = owner;
  const at = now.toISOString();
  const data = { jobId, businessId, reason: 'not-my-trade' } as const;
  const cause = { commandId: crypto.randomUUID(), actor: `account:${accountId}`, correlation: 'test' };
  const command = { type: 'ExplainRejection', at, data } as const;
  await handleCommand(app.deps.store, jobDecider, streamName('job', jobId), command, cause);
  expect((await issue(jobId, { audience: 'owner' })).text).toContain('not-my-trade');
  const { text, record } = await issue(jobId, { audience: 'customer' });
  expect(text).not.toContain('not-my-trade');
  expect(withheldFields(record)).toContain('reason not-for-you');
});

test('contact that a status withholds stays withheld for either side, in texts as well', async () => {
  const jobId = await requestedJob(app, owner, { description: 'Ring 0491 570 156 first' });
  for (const audience of ['owner', 'customer']) {
    const { text, record } = await issue(jobId, { audience });
    expect(text).not.toContain('491570156');
    expect(text).not.toContain('0491 570 156');
    expect(text).not.toContain('aroha.t@example.com');
    expect(withheldFields(record).toSorted()).toEqual([
      ...['description not-for-you', 'email not-for-you', 'phone not-for-you'],
    ]);
    expect(openFields(record)).toContain('name');
    expect(checkRecord(text).outcome).toBe('fits-itself');
  }
});

test('of a customer who is erased nothing is open, and the record still fits', async () => {
  const jobId = await workedOn();
  await app.deps.subjectKeys.destroy(`customer-${jobId}`);
  const { text, record } = await issue(jobId);
  expect(openFields(record)).toEqual([]);
  expect(withheldFields(record)).toContain('name erased');
  expect(text).not.toContain('Aroha');
  expect(checkRecord(text).outcome).toBe('fits-itself');
  expect(secondCheck(Buffer.from(text))?.unconfirmed).toEqual(['0', '1', '2']);
});

test('a record of a moment ends there, and says so of no more of the log', async () => {
  const jobId = await requestedJob(app, owner);
  const then = now.toISOString();
  now = new Date(now.getTime() + 60_000);
  await owner.put(`/api/jobs/${jobId}/accept`);
  const { text, record } = await issue(jobId, { at: then });
  expect(record.events.map(({ type }) => type)).toEqual(['JobRequested']);
  expect(record.asAt.at).toBe(then);
  const whole = await issue(jobId);
  expect(record.asAt.size).toBe(whole.record.events[1]?.index);
  expect(checkRecord(text).outcome).toBe('fits-itself');
});

test('a record up to a revision has no later event, whatever the clocks showed', async () => {
  const jobId = await workedOn();
  const { text, record } = await issue(jobId, { upTo: 1 });
  expect(record.events.map(({ type }) => type)).toEqual(['JobRequested', 'JobAccepted']);
  expect(record.asAt).toEqual({ at: null, size: (await issue(jobId)).record.events[2]?.index });
  expect(checkRecord(text).outcome).toBe('fits-itself');
});

test('the process that signs refuses what is not so, and what another did not ask for', async () => {
  const jobId = await workedOn();
  const { record } = await issue(jobId);
  const { db, config, newId } = app.deps;
  const key = statementKeyOf(config.keys.data);
  const stream = `job-${jobId}` as const;
  const last = record.events.at(-1)?.revision ?? 0;
  const request = { kind: 'record', stream, size: record.asAt.size, sha256: 'AAAA' } as const;
  const ask = (as: Buffer, revision: number, size = request.size) =>
    requestNote(db, as, newId(), { ...request, size, last: revision });
  const sha256 = createHash('sha256').digest('base64');
  const wrong = await Promise.all([
    ask(statementKeyOf(Buffer.alloc(32, 9)), last),
    ask(key, last - 1),
    ask(key, last + 1),
    ask(key, last, request.size + 1_000),
    requestNote(db, key, newId(), { ...request, stream: 'job-none', last: 0 }),
  ]);
  expect(wrong).toEqual([null, null, null, null, null]);
  await expect(requestNote(db, key, newId(), { ...request, sha256, last })).resolves.toContain('/record\n');
});

test('an operator makes one with ute audit record, and the history says so', async () => {
  const jobId = await workedOn();
  const folder = tempFolder('record');
  const out = join(folder.path, 'job.ute-record.json');
  const environment = {
    ...{ DATABASE_URL: app.databaseUrl, DATA_DIR: folder.path },
    DATA_KEY: app.deps.config.keys.data.toString('base64'),
    CLAIM_KEY: app.deps.config.keys.claim.toString('base64'),
  };
  const answer = await runUte(environment, 'audit', 'record', jobId, '--out', out, '--audience', 'customer');
  expect(answer).toEqual({ out: `The record for the customer is in ${out}.\n`, err: '', code: 0 });
  const text = readFileSync(out, 'utf8');
  expect(checkRecord(text).outcome).toBe('fits-itself');
  expect(text).not.toContain('Old pipes');
  const events = await app.deps.store.readStream(`job-${jobId}`);
  expect(events.at(-1)?.event?.data).toMatchObject({ by: 'operator', audience: 'customer' });
  folder.remove();
});

test('thirty records an hour, and none where nothing signs', async () => {
  const alone = await testApp({ env: { RATE_LIMITS: 'on' } });
  try {
    const account = await alone.signIn();
    const jobId = await requestedJob(alone, account);
    const make = () => account.post(`/api/jobs/${jobId}/record`, { audience: 'owner' });
    const refused = await make();
    expect(refused).toMatchObject({ status: 503 });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    const rest = await Promise.all(
      Array.from({ length: 30 }, () => account.post(`/api/jobs/${UNKNOWN}/record`, { audience: 'owner' })),
    );
    expect(rest.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
    const { history } = (await account.get(`/api/jobs/${jobId}/history`)).body;
    expect(history.map(({ what }: { what: string }) => what)).not.toContain('record');
  } finally {
    await alone.close();
  }
});

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
