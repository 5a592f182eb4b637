import { dirname, join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBackup } from '#api/backup/back-up.ts';
import { objectReader } from '#api/backup/objects.ts';
import { restore } from '#api/backup/restore.ts';
import { carryOut, type ErasureDeps } from '#api/privacy/carry-out.ts';
import { applyLedger } from '#api/privacy/remains.ts';
import { folderTarget } from '#api/providers/backup-target.ts';
import { forAllBusinesses } from '#api/runtime/database.ts';
import { verifyChain } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { createSubjectKeys, hearDestroyedKeys } from '#core/event-store/subject-keys.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { checkRecord } from '#core/proof/check.ts';
import { readGiven } from '#core/proof/check-log.ts';
import { bringUpToDate } from '#projections/bring-up-to-date.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import type { SignedIn, TestApp } from '#tests/support/app/api.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import { openWorld, type World } from '#tests/support/operations/world.ts';
import {
  askToForget,
  copyFiles,
  copyOut,
  copyOutWithSamples,
  erasing,
  findMarkers,
} from '#tests/support/scenarios/erasing.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';
import {
  allAnswers,
  jobByForm,
  jobByHand,
  jobByOrder,
  jobMarkers as markers,
  ofForm,
  useJobs,
} from '#tests/support/scenarios/marked-jobs.ts';

let world: World;
let api: TestApp;
let acme: SignedIn;
let forgetting: ErasureDeps;
const lines: string[] = [];
const folder = tempFolder('erased-everywhere');
const restoredTo: TestDatabase[] = [];
beforeAll(async () => {
  world = await openWorld({ processes: true, log: (line) => lines.push(line) });
  api = world.app;
  acme = world.acme;
  forgetting = erasing(api).deps;
}, 60_000);
afterAll(async () => {
  await world?.app.close();
  for (const database of restoredTo) await database.close();
  folder.remove();
});

async function forget(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const erasureId = await askToForget(forgetting, acme, [id]);
    // While a rebuild runs, the look at the read models may come too early: the worker tries again too.
    await expect
      .poll(() =>
        carryOut(forgetting, erasureId).then(
          () => 'done',
          ({ name }) => name,
        ),
      )
      .toBe('done');
  }
}

const tables = () => copyOutWithSamples(api.everyRow);

/** All that is stored of the jobs of others, and their keys, as text by the job. */
async function others(ids: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await api.everyRow.query<{ id: string; text: string }>(
    `select jobs.job_id as id, concat(jobs::text, details::text, search::text, keys::text) as text
     from ${jobTables.jobs} as jobs join ${jobTables.details} as details using (job_id)
       join ${jobTables.search} as search using (job_id)
       join state.subject_keys as keys on keys.subject = 'customer-' || jobs.job_id
     where jobs.job_id <> all($1)`,
    [ids],
  );
  return Object.fromEntries(rows.map(({ id, text }) => [id, text]));
}

const events = async () =>
  (await api.everyRow.query('select e::text as row from event_store.events as e order by pos')).rows.map(
    ({ row }) => row as string,
  );

async function openBackup() {
  const identity = await generateX25519Identity();
  const { everyRow: pool, databaseUrl: connectionString, deps } = api;
  const log = openEmbeddedLog({ pool, connectionString });
  api.onClose(() => log.close());
  const target = folderTarget(join(folder.path, 'target'));
  const logKey = Buffer.alloc(32, 7);
  const backup = createBackup({
    ...{ target, pool, logKey, keys: deps.config.keys, files: api.storedFiles, now: deps.now },
    recipient: await identityToRecipient(identity),
    log: { ...log, kind: 'embedded' },
    ledger: forgetting.ledger.file,
    checkpoints: async () => '',
  });
  const reader = objectReader(target, identity);
  /** The database of a backup, with the keys of the newest. */
  const restored = async (manifest: Parameters<typeof restore>[0]['manifest'], newest = manifest) => {
    const into = await testDatabase();
    restoredTo.push(into);
    const owner = testPool(into.ownerUrl, 2);
    try {
      const sources = { target, reader, manifest, newest, logKeys: [logKey], checkpoints: '' };
      await restore(sources, owner);
    } finally {
      await owner.end();
    }
    return into;
  };
  return { backup, restored };
}

/** What another process has: connections of its own, and keys in memory that it drops as they are destroyed. */
async function secondProcess() {
  const { databaseUrl: connectionString, deps } = api;
  const pool = testPool(forAllBusinesses(connectionString));
  const { data: dataKey } = deps.config.keys;
  const keys = createSubjectKeys({ pool, dataKey });
  const { promise: listens, resolve } = Promise.withResolvers<void>();
  const first = { drop: (subject: string | null) => (subject === null ? resolve() : undefined) };
  const stop = hearDestroyedKeys(connectionString, [keys, first]);
  await listens;
  const second = createEmbeddedEventStore({ pool, connectionString, dataKey, keys });
  api.onClose(async () => {
    await Promise.all([stop(), second.close()]);
    await pool.end();
  });
  return { second, pool };
}

test('a customer who is forgotten is nowhere: no table, sample, file, log, answer, second process, rebuilt table or restored backup', async () => {
  const bystander = (await acme.post('/api/jobs', aNewJob({ title: 'Stays' }))).body.job.id;
  const { id: first, links } = await jobByForm(world);
  const ids = [first, await jobByHand(world), await jobByOrder(world)];
  await useJobs(world, ids);
  signForRecords(api);
  const record: string = (await acme.post(`/api/jobs/${first}/record`, { audience: 'owner' })).body.record;
  expect(typeof record).toBe('string');
  const { body: shown } = await acme.get(`/api/jobs/${first}`);

  // All of it is there, and found: in tables in the clear, and in what the API answers.
  const found = new Set(
    findMarkers(
      { all: Object.values({ ...(await tables()), ...(await allAnswers(world, ids)) }).join('\n') },
      markers,
    ),
  );
  const notStored = [
    'what the camera wrote',
    'the first notes',
    'the reason of the dispute',
    'the correction',
  ];
  const expected = Object.keys(markers).filter((name) => !notStored.includes(name));
  expect([...found]).toEqual(expect.arrayContaining(expected.map((name) => `all holds ${name}`)));

  const { backup, restored } = await openBackup();
  const { manifest: before } = await backup.run();
  const { second, pool } = await secondProcess();
  const inMemory = async () => JSON.stringify(await second.readStream(streamName('job', first)));
  expect(findMarkers({ second: await inMemory() }, ofForm).length).toBeGreaterThan(5);
  const otherRows = await others(ids);
  const log = await events();
  const bystanderBefore = (await acme.get(`/api/jobs/${bystander}`)).body;

  // A rebuild that has read all of the log with the keys still there, and goes on when all is erased.
  const { promise: hasRead, resolve: read } = Promise.withResolvers<void>();
  const { promise: isErased, resolve: goOn } = Promise.withResolvers<void>();
  const slow: typeof second = {
    ...second,
    readAll: async (...asked) => {
      const page = await second.readAll(...asked);
      read();
      await isErased;
      return page;
    },
  };
  const rebuilding = rebuild(
    { store: slow, pool, connectionString: api.databaseUrl, log: silentLog },
    jobsProjection,
  );
  await hasRead;
  await forget(ids);
  await expect
    .poll(async () => findMarkers({ second: await inMemory() }, markers), { timeout: 1_000 })
    .toEqual([]);
  goOn();
  await rebuilding;
  await api.settle();

  expect(findMarkers(await tables(), markers)).toEqual([]);
  const written = await copyFiles(api.storedFolder, dirname(forgetting.ledger.file));
  expect(Object.keys(written)).not.toEqual([]);
  expect(findMarkers(written, markers)).toEqual([]);
  expect(findMarkers({ 'the log of the application': lines.join('\n') }, markers)).toEqual([]);
  expect(lines.length).toBeGreaterThan(10);
  expect(findMarkers(await allAnswers(world, ids), markers)).toEqual([]);
  for (const link of links) {
    const { status, text } = await api.get(`/api${link}`);
    expect([200, 404], link).toContain(status);
    expect(findMarkers({ [link]: text }, markers)).toEqual([]);
    expect((await api.get(`/api${link}/download`)).status).toBe(404);
  }
  for (const { url, thumb } of [shown.job.media[0], shown.job.photos[0]])
    for (const one of [url, thumb]) expect((await api.get(one)).status).toBe(404);

  // The log is what it was, and more; chains, an old record and all others are untouched.
  expect((await events()).slice(0, log.length)).toEqual(log);
  const chains = openEmbeddedLog({ pool: api.everyRow, connectionString: api.databaseUrl });
  expect(await verifyChain(await chains.readAll('0', 100_000))).toMatchObject({ broken: null });
  await chains.close();
  // The process that signs runs beside: a checkpoint is there when its answer is.
  const noteNow = async () =>
    (await api.get(`/api/checkpoints/${await signLog(api)}`)).body.checkpoint?.note ?? '';
  await expect.poll(noteNow).not.toBe('');
  expect(
    checkRecord(record, readGiven(await noteNow())).findings.filter(({ verdict }) => verdict === 'failed'),
  ).toEqual([]);
  expect(Object.keys(otherRows).length).toBeGreaterThan(0);
  expect(await others(ids)).toMatchObject(otherRows);
  expect((await acme.get(`/api/jobs/${bystander}`)).body).toEqual(bystanderBefore);

  // A backup from before brings no text back: the keys are always those of the newest, and the ledger is applied.
  const { manifest: newest } = await backup.run();
  const into = await restored(before, newest);
  const { data: dataKey } = api.deps.config.keys;
  const back = createEmbeddedEventStore({ pool: into.pool, connectionString: into.url, dataKey });
  const system = { store: back, pool: into.pool, connectionString: into.url, log: silentLog };
  // What a start does before it serves: names of files come back with the state, and go again.
  await applyLedger({
    ...{ ...forgetting, store: back, everyRow: into.pool },
    subjectKeys: createSubjectKeys({ pool: into.pool, dataKey }),
    awaitReadModels: async () => {
      await bringUpToDate(system, projections);
      return true;
    },
  });
  const all = JSON.stringify(await back.readAll('0', 100_000));
  await back.close();
  expect(all).toContain('[erased]');
  expect(findMarkers({ ...(await copyOut(into.pool)), 'the opened log': all }, markers)).toEqual([]);
}, 180_000);
