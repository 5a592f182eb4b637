import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFileId, recordFile } from '#api/businesses/stored-files.ts';
import { carryOut, type ErasureDeps, findRemains } from '#api/privacy/carry-out.ts';
import { listErasures } from '#api/privacy/erasures.ts';
import { applyLedger } from '#api/privacy/remains.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { erasing } from '#tests/support/scenarios/erasing.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';
import { failingCalls, failures, sweepCalls } from '#tests/support/servers/outages.ts';

const calls = failingCalls();
let api: TestApp;
let acme: SignedIn;
let sound: ErasureDeps;
/** The same, whose every call to the log, the database, the read side and the files can be made to fail. */
let failing: ErasureDeps;

beforeAll(async () => {
  api = await testApp({ processes: true });
  acme = await api.signIn();
  sound = erasing(api).deps;
  const { db: everyRow, store, files, readSide } = calls.wrap({ ...api.deps, db: api.everyRow });
  failing = {
    ...sound,
    ...{ everyRow, store, files },
    subjectKeys: createSubjectKeys({ pool: everyRow, dataKey: api.deps.config.keys.data }),
    awaitReadModels: async (position) =>
      (await readSide.waitFor(['jobs', 'accounts', 'public-form'], position)) === 'caught-up',
  };
});
afterAll(() => api?.close());

/** A job with a file, and the request to forget its customer. */
async function toForget(): Promise<Readonly<{ jobId: string; erasureId: string; fileId: string }>> {
  const jobId = (await acme.post('/api/jobs', aNewJob())).body.job.id;
  const fileId = newFileId();
  const file = { id: fileId, name: 'tap.png', mime: 'image/png', bytes: 3 } as const;
  await recordFile(api.everyRow, { ...file, businessId: acme.businessId, kind: 'media' }, new Date());
  await api.everyRow.query('update state.files set job_id = $2, expires_at = null where id = $1', [
    fileId,
    jobId,
  ]);
  await api.deps.files.put(`media/${fileId}`, new Uint8Array([1, 2, 3]), 'image/png');
  const erasureId = crypto.randomUUID();
  const about = { scope: 'jobs', basis: 'operator', businessId: acme.businessId, ids: [jobId] } as const;
  await requestErasure(sound, { ...about, erasureId, isNow: true });
  return { jobId, erasureId, fileId };
}

/** The list of erasures is written by a process too: where a run completed one and could write no more, a moment later. */
async function expectForgotten({ jobId, erasureId, fileId }: Awaited<ReturnType<typeof toForget>>) {
  expect(await findRemains(sound, { jobIds: [jobId], demoIds: [] })).toEqual([]);
  expect(await api.deps.files.get(`media/${fileId}`)).toBeNull();
  await api.settle();
  expect((await listErasures(api.everyRow)).find((one) => one.erasureId === erasureId)?.status).toBe(
    'completed',
  );
  const lines = (await sound.ledger.read())?.lines.filter(({ subject }) => subject === `customer-${jobId}`);
  expect(lines).toHaveLength(1);
  expect((await sound.ledger.read())?.isWhole).toBe(true);
  const events = await api.deps.store.readStream(`job-${jobId}`);
  expect(events.filter(({ type }) => type === 'JobCustomerErased')).toHaveLength(1);
}

test.each(failures)(
  'an erasure of which one call is %s is completed by the next run, wherever that was',
  async (failure) => {
    const swept = await sweepCalls(async (n) => {
      const one = await toForget();
      calls.failAt(n, failure);
      const outcome = await carryOut(failing, one.erasureId).then(
        () => 'done',
        () => 'failed',
      );
      const isMet = calls.disarm();
      // What was begun has its line before anything is gone: a restore from here on forgets too.
      const events = await api.deps.store.readStream(`job-${one.jobId}`);
      if (events.some(({ type }) => type === 'JobCustomerErased'))
        expect(await sound.ledger.read()).toMatchObject({
          lines: expect.arrayContaining([expect.objectContaining({ subject: `customer-${one.jobId}` })]),
        });
      if (outcome === 'failed') await carryOut(sound, one.erasureId);
      await expectForgotten(one);
      return isMet;
    });
    expect(swept).toBeGreaterThan(14);
  },
  240_000,
);

/** A business with a job and a file, and the request to close it. */
async function toClose() {
  const owner = await api.signIn({ plan: 'plus' });
  const { accountId, businessId } = owner;
  const jobId = (await owner.post('/api/jobs', aNewJob())).body.job.id;
  await api.settle();
  const id = newFileId();
  const file = { id, name: 'tap.png', mime: 'image/png', bytes: 3, businessId, kind: 'media' } as const;
  await recordFile(api.everyRow, file, new Date());
  await api.deps.files.put(`media/${id}`, new Uint8Array([1, 2, 3]), 'image/png');
  const erasureId = crypto.randomUUID();
  const about = { scope: 'business', basis: 'account-closed', businessId, ids: [businessId] } as const;
  await requestErasure(sound, { ...about, erasureId, isNow: true });
  return { owner, accountId, businessId, jobId, fileId: id, erasureId };
}

async function expectClosed({
  owner,
  erasureId,
  jobId,
  fileId,
  ...ids
}: Awaited<ReturnType<typeof toClose>>) {
  const erased = { demoIds: [], accountIds: [ids.accountId], businessIds: [ids.businessId] };
  expect(await findRemains(sound, { ...erased, jobIds: [jobId] })).toEqual([]);
  expect(await api.storedFiles.get(`media/${fileId}`)).toBeNull();
  expect((await owner.get('/api/jobs')).status).toBe(403);
  expect((await api.get(`/api/public-forms/${owner.slug}`)).status).toBe(404);
  await api.settle();
  const listed = (await listErasures(api.everyRow)).find((one) => one.erasureId === erasureId);
  expect(listed?.status).toBe('completed');
  const ledger = await sound.ledger.read();
  expect(ledger?.isWhole).toBe(true);
  for (const subject of [`business-${ids.businessId}`, `account-${ids.accountId}`])
    expect(ledger?.lines.filter((line) => line.subject === subject)).toHaveLength(1);
  for (const [stream, type] of [
    [`business-${ids.businessId}`, 'BusinessClosed'],
    [`account-${ids.accountId}`, 'AccountErased'],
    [`enquiryForm-${ids.businessId}`, 'EnquiryFormClosed'],
    [`job-${jobId}`, 'JobCustomerErased'],
  ] as const)
    expect((await api.deps.store.readStream(stream)).filter((one) => one.type === type)).toHaveLength(1);
}

test.each(failures)(
  'the closing of a business of which one call is %s is completed by the next run, wherever that was',
  async (failure) => {
    const swept = await sweepCalls(async (n) => {
      const one = await toClose();
      calls.failAt(n, failure);
      const outcome = await carryOut(failing, one.erasureId).then(
        () => 'done',
        () => 'failed',
      );
      const isMet = calls.disarm();
      if (outcome === 'failed') await carryOut(sound, one.erasureId);
      await expectClosed(one);
      return isMet;
    });
    expect(swept).toBeGreaterThan(29);
  },
  240_000,
);

test('without a line in the ledger nothing is destroyed', async () => {
  const one = await toForget();
  const full = { ...sound.ledger, append: () => Promise.reject(new Error('ENOSPC')) };
  await expect(carryOut({ ...sound, ledger: full }, one.erasureId)).rejects.toThrow('ENOSPC');
  expect((await acme.get(`/api/jobs/${one.jobId}`)).body.job.title).toBe('Switchboard upgrade');
  expect(await api.deps.files.get(`media/${one.fileId}`)).not.toBeNull();
  await carryOut(sound, one.erasureId);
  await expectForgotten(one);
});

test('two processes that carry out the same erasure at once complete it once', async () => {
  const one = await toForget();
  await Promise.all([carryOut(sound, one.erasureId), carryOut(failing, one.erasureId)]);
  await expectForgotten(one);
});

test('a start that is cut off while it applies the ledger leaves the rest to the next one', async () => {
  await sweepCalls(async (n) => {
    const one = await toForget();
    const key = await api.everyRow.query('select wrapped_key from state.subject_keys where subject = $1', [
      `customer-${one.jobId}`,
    ]);
    await carryOut(sound, one.erasureId);
    await api.everyRow.query(
      'update state.subject_keys set wrapped_key = $2, destroyed_at = null where subject = $1',
      [`customer-${one.jobId}`, key.rows[0].wrapped_key],
    );
    calls.failAt(n, 'not-made');
    await applyLedger(failing).catch(() => {});
    const isMet = calls.disarm();
    await applyLedger(sound);
    await expectForgotten(one);
    return isMet;
  });
}, 240_000);
