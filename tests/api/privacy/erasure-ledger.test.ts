import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryOut, NotErasedYetError } from '#api/privacy/carry-out.ts';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { listErasures } from '#api/privacy/erasures.ts';
import { applyLedger } from '#api/privacy/remains.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { askToForget, erasing, forgetCustomers } from '#tests/support/scenarios/erasing.ts';
import { aNewJob, requestedJob } from '#tests/support/scenarios/job-requests.ts';

let api: TestApp;
let acme: SignedIn;
let forgetting: ReturnType<typeof erasing>['deps'];

beforeAll(async () => {
  api = await testApp({ processes: true });
  acme = await api.signIn();
  forgetting = erasing(api).deps;
});
afterAll(() => api?.close());

const name = 'Wilhelmina Qurazy';

const forget = (id: string) => forgetCustomers(forgetting, acme, [id]);

test('a customer whom a restore brought back is erased again at the next start, from the ledger alone', async () => {
  const jobId = await requestedJob(api, acme, { name });
  const copied = await api.everyRow.query('select * from state.subject_keys where subject = $1', [
    `customer-${jobId}`,
  ]);
  const rows = await api.everyRow.query(`select * from ${jobTables.jobs} where job_id = $1`, [jobId]);
  await forget(jobId);
  const { wrapped_key } = copied.rows[0];
  await api.everyRow.query(
    'update state.subject_keys set wrapped_key = $2, destroyed_at = null where subject = $1',
    [...[`customer-${jobId}`, wrapped_key]],
  );
  await api.everyRow.query(
    `insert into state.answer_links (token_hash, kind, job_id, business_id, expires_at)
     values ($1, 'not-needed', $2, $3, now() + interval '1 day')`,
    [Buffer.alloc(32, 1), jobId, acme.businessId],
  );
  expect(rows.rows[0].name).toBe(name);

  expect(await applyLedger(forgetting)).toBe(1);
  const { rows: keys } = await api.everyRow.query(
    'select wrapped_key from state.subject_keys where subject = $1',
    [`customer-${jobId}`],
  );
  expect(keys).toEqual([{ wrapped_key: null }]);
  expect(
    (await api.everyRow.query('select 1 from state.answer_links where job_id = $1', [jobId])).rows,
  ).toEqual([]);
  expect(await applyLedger(forgetting)).toBe(0);
});

test('a subject whom the restored log does not know yet keeps a key that opens nothing', async () => {
  const later = crypto.randomUUID();
  await forgetting.ledger.append([
    { at: new Date().toISOString(), erasureId: 'e9', subject: `customer-${later}` },
  ]);
  expect(await applyLedger(forgetting)).toBe(1);
  expect((await api.deps.subjectKeys.ensure([`customer-${later}`])).get(`customer-${later}`)).toBe(
    'destroyed',
  );
});

test('rows of an earlier release, which follows the log no more, go too', async () => {
  const jobId = (await acme.post('/api/jobs', aNewJob({ title: 'Of old' }))).body.job.id;
  await api.everyRow.query(`create table read.jobs_v0 (job_id text, business_id text, name text)`);
  await api.everyRow.query(`insert into read.jobs_v0 values ($1, 'b', $2), ('other', 'b', 'Other')`, [
    ...[jobId, name],
  ]);
  await forget(jobId);
  expect((await api.everyRow.query('select job_id from read.jobs_v0')).rows).toEqual([{ job_id: 'other' }]);
  await api.everyRow.query('drop table read.jobs_v0');
});

test('while the read models are behind it is not completed, and is tried again', async () => {
  const jobId = (await acme.post('/api/jobs', aNewJob({ title: 'Waits for its grace' }))).body.job.id;
  const erasureId = await askToForget(forgetting, acme, [jobId]);
  const behind = { ...forgetting, awaitReadModels: async () => false };
  await expect(carryOut(behind, erasureId)).rejects.toThrow(NotErasedYetError);
  expect((await listErasures(api.everyRow)).find((one) => one.erasureId === erasureId)?.status).toBe('begun');
  expect(await carryOutDue(forgetting)).toBe(1);
});

test('a prospect is forgotten with the messages about the demo', async () => {
  const demoId = crypto.randomUUID();
  await api.deps.subjectKeys.ensure([`demo-${demoId}`]);
  const erasureId = crypto.randomUUID();
  await requestErasure(forgetting, {
    ...{ erasureId, scope: 'demo', basis: 'operator', businessId: null, ids: [demoId], isNow: true },
  });
  await carryOut(forgetting, erasureId);
  expect((await api.deps.subjectKeys.find([`demo-${demoId}`])).get(`demo-${demoId}`)).toBe('destroyed');
});
