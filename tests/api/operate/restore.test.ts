import { join } from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBackup } from '#api/backup/back-up.ts';
import { serverSink } from '#api/backup/load-log.ts';
import type { Manifest } from '#api/backup/manifest.ts';
import { BackupError, objectReader } from '#api/backup/objects.ts';
import { refuseFilled, restore } from '#api/backup/restore.ts';
import { rootsAt } from '#api/proof/roots.ts';
import { folderTarget } from '#api/providers/backup-target.ts';
import { noteSigner, signNote } from '#core/crypto/note.ts';
import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { openEventStoreDbLog } from '#core/event-store/eventstoredb/event-store.ts';
import { writeCheckpoint } from '#core/proof/checkpoint.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { type BackupStage, backupKeys, logKey, openBackupStage } from '#tests/support/log/running-log.ts';
import { startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';

const never = new AbortController().signal;
let stage: BackupStage;
const opened: TestDatabase[] = [];
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await stage?.close();
});

/** Restores into a database of its own, as its owner. */
async function restored(
  manifest: Manifest,
  { newest = manifest, reader = stage.reader, checkpoints = '' } = {},
) {
  const into = await testDatabase();
  opened.push(into);
  const owner = testPool(into.ownerUrl, 2);
  try {
    const sources = { target: stage.target, reader, manifest, newest, logKeys: [logKey], checkpoints };
    return { into, outcome: await restore(sources, owner) };
  } finally {
    await owner.end();
  }
}

async function eventsOf({ pool }: TestDatabase) {
  return (await pool.query('select * from event_store.events order by pos')).rows;
}

async function append(store: ReturnType<typeof openWith>, amount: number): Promise<void> {
  const stream = newJobStream();
  const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
  await store.append(stream, 'no-stream', events, cause);
}

const openWith = ({ pool, url }: TestDatabase) =>
  createEmbeddedEventStore({ pool, connectionString: url, dataKey: backupKeys.data });

test('log, keys and state come back as they were, twice the same', async () => {
  const stream = await stage.seed(300);
  await stage.seed(5);
  const { pool } = stage.database;
  await pool.query(
    `insert into state.reservations (kind, key, owner, status) values ('email', '\\x00ff', gen_random_uuid(), 'kept')`,
  );
  await pool.query(
    `insert into state.announcements (id, kind, subject, body, begun_at) values ('a1', 'newsletter', 'S', E'one\\ntwo\\\\', now())`,
  );
  await pool.query(
    `insert into state.outbox (id, kind, announcement, queued_at, wanted_at, due_at, delivery_status)
     select gen_random_uuid(), 'newsletter', 'a1', now(), now(), now(), status from unnest(array['waiting', 'sent']) status`,
  );
  await pool.query(
    `insert into state.process_positions (process, position) values ('outbox', 100), ('finish-registrations', 100), ('ahead', 900)`,
  );
  await pool.query(
    `insert into state.sessions (id, account_id, business_id, remember, device, created_at, last_seen_at, expires_at)
     values ('s1', gen_random_uuid(), gen_random_uuid(), true, 'd', now(), now(), now() + interval '1 day')`,
  );
  const { manifest } = await stage.backup.run();
  const first = await restored(manifest);
  const second = await restored(manifest);
  expect(first.outcome).toEqual({ events: 305, lost: 0, rows: 7, held: 1 });
  const stored = await eventsOf(stage.database);
  expect(await eventsOf(first.into)).toEqual(stored);
  expect(await eventsOf(second.into)).toEqual(stored);
  const store = openWith(first.into);
  expect((await store.readStream(stream)).at(-1)?.event?.data).toMatchObject({ notes: 'note 299' });
  await store.close();
  const rows = async (text: string, { pool }: TestDatabase = first.into) => (await pool.query(text)).rows;
  for (const table of ['reservations', 'announcements'])
    expect(await rows(`select * from state.${table}`)).toEqual(
      await rows(`select * from state.${table}`, stage.database),
    );
  // What waited may have gone out since: the operator decides. What followed the log goes on where it was.
  expect(await rows('select delivery_status as s from state.outbox order by 1')).toEqual([
    { s: 'dead' },
    { s: 'sent' },
  ]);
  expect(
    await rows('select process, position::int as at from state.process_positions order by process'),
  ).toEqual([
    { process: 'ahead', at: 305 },
    { process: 'finish-registrations', at: 100 },
    { process: 'outbox', at: 305 },
  ]);
  expect(await rows('select * from state.sessions')).toEqual([]);
}, 60_000);

test('each backup is a beginning of the log with all its keys, whenever it was taken', async () => {
  const manifests: Manifest[] = [];
  for (let n = 0; n < 4; n += 1) {
    await stage.seed(3);
    stage.pass(1);
    manifests.push((await stage.backup.run()).manifest);
  }
  const all = await eventsOf(stage.database);
  for (const manifest of manifests) {
    const { into } = await restored(manifest);
    const events = await eventsOf(into);
    expect(events).toEqual(all.slice(0, manifest.log.size));
    const store = openWith(into);
    for (const { event } of await store.readAll('0', 100))
      expect(event?.data).toMatchObject({ notes: expect.stringContaining('note') });
    await store.close();
  }
}, 60_000);

test('whom an erasure forgot between two backups stays forgotten after restoring the first', async () => {
  const stream = await stage.seed(2);
  const { manifest: before } = await stage.backup.run();
  await stage.database.pool.query('update state.subject_keys set wrapped_key = null, destroyed_at = now()');
  stage.pass(1);
  const { manifest: newest } = await stage.backup.run();
  const { into } = await restored(before, { newest });
  const store = openWith(into);
  expect((await store.readStream(stream))[0]?.event?.data).toMatchObject({ notes: '[erased]' });
  await store.close();
});

describe('a log that is not the published one', () => {
  const noteOf = async (size: number, key = logKey) => {
    const { roots } = await rootsAt(stage.sources.log, [size], { signal: never });
    const origin = 'jobs.example.com/log/00000000';
    const body = { origin, size, root: roots.get(size) ?? new Uint8Array(32) };
    return signNote(writeCheckpoint(body), [noteSigner(origin, key)], new Date(0));
  };

  test('is shorter: what was lost is counted, and a new epoch begins', async () => {
    await stage.seed(4);
    const { manifest } = await stage.backup.run();
    await stage.seed(3);
    const { into, outcome } = await restored(manifest, {
      checkpoints: `${await noteOf(4)}\n\n${await noteOf(7)}`,
    });
    expect(outcome.lost).toBe(3);
    const { rows } = await into.pool.query(
      'select epoch, origin, from_size::int, why from proof.log order by epoch',
    );
    expect(rows).toEqual([
      { epoch: 1, origin: 'jobs.example.com/log/00000000', from_size: 0, why: null },
      {
        epoch: 2,
        origin: 'jobs.example.com/log/00000000.2',
        from_size: 4,
        why: expect.stringMatching(
          /^jobs\.example\.com\/log\/00000000\.2\/epoch\ncontinues jobs\.example\.com\/log\/00000000 at 4; 3 events up to 7 were lost; restored \S+Z\n\n— jobs/,
        ),
      },
    ]);
  });

  test('was shorter once before: what that epoch lost does not refuse the next restore', async () => {
    await stage.seed(4);
    const { manifest: early } = await stage.backup.run();
    await stage.seed(3);
    const published = `${await noteOf(4)}\n\n${await noteOf(7)}`;
    const { into } = await restored(early, { checkpoints: published });
    const goesOn = openWith(into);
    await append(goesOn, 6);
    await goesOn.close();
    const log = openEmbeddedLog({ pool: into.pool, connectionString: into.url });
    const backup = createBackup({
      ...stage.sources,
      ...{ target: folderTarget(join(stage.folder, 'second')), pool: into.pool },
      log: { ...log, kind: 'embedded' },
    });
    const { manifest } = await backup.run();
    await log.close();
    const again = await testDatabase();
    opened.push(again);
    const owner = testPool(again.ownerUrl, 2);
    const target = folderTarget(join(stage.folder, 'second'));
    const reader = objectReader(target, stage.identity);
    const sources = { target, reader, manifest, newest: manifest, logKeys: [logKey], checkpoints: published };
    try {
      expect(await restore(sources, owner)).toMatchObject({ events: 10, lost: 0 });
    } finally {
      await owner.end();
    }
    const { rows } = await again.pool.query('select count(*)::int as n from proof.log');
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('has another root: it is refused, and nothing is written', async () => {
    await stage.seed(4);
    const { manifest } = await stage.backup.run();
    const origin = 'jobs.example.com/log/00000000';
    const other = { origin, size: 3, root: new Uint8Array(32) };
    const forged = signNote(writeCheckpoint(other), [noteSigner(origin, logKey)], new Date(0));
    await expect(restored(manifest, { checkpoints: forged })).rejects.toThrow(
      'The log that was restored is not the one of checkpoint 3',
    );
    expect(await eventsOf(opened[0] as TestDatabase)).toEqual([]);
    const unsigned = signNote(writeCheckpoint(other), [noteSigner(origin, backupKeys.data)], new Date(0));
    expect((await restored(manifest, { checkpoints: unsigned })).outcome.events).toBe(4);
  });
});

describe('an object that is not the one of the manifest', () => {
  let manifest: Manifest;
  beforeEach(async () => {
    await stage.seed(3);
    await stage.backup.run();
    stage.pass(1);
    await stage.seed(3);
    ({ manifest } = await stage.backup.run());
  });
  const names = () => [
    ...[...manifest.log.segments, ...manifest.keys.full, ...manifest.keys.changes].map(({ name }) => name),
  ];

  test('is missing, cut or swapped: one line names it', async () => {
    expect(names()).toHaveLength(4);
    for (const [index, name] of names().entries()) {
      const bytes = (await stage.target.get(name)) ?? new Uint8Array();
      const other = (await stage.target.get(names()[(index + 1) % 4] ?? '')) ?? new Uint8Array();
      await stage.target.remove(name);
      await expect(restored(manifest), name).rejects.toThrow(`${name} is missing from the backup.`);
      await stage.target.put(name, bytes.slice(0, -1));
      await expect(restored(manifest), name).rejects.toThrow(`${name} is not what the manifest names`);
      await stage.target.put(name, other);
      await expect(restored(manifest), name).rejects.toThrow(`${name} is not what the manifest names`);
      await stage.target.put(name, bytes);
    }
    expect((await restored(manifest)).outcome.events).toBe(6);
  }, 60_000);

  test('is for another identity', async () => {
    const reader = objectReader(stage.target, await generateX25519Identity());
    await expect(restored(manifest, { reader })).rejects.toThrow(/does not open with this identity/);
  });
});

test('a database with events is refused', async () => {
  await refuseFilled(stage.database.pool);
  await stage.seed(1);
  await expect(refuseFilled(stage.database.pool)).rejects.toThrow(BackupError);
});

test('events go to a server in their order, and processes stand where they stood', async () => {
  const first = await stage.seed(3);
  await stage.seed(700);
  await stage.database.pool.query(
    `insert into state.process_positions (process, position) values ('finish-registrations', 2)`,
  );
  const { manifest } = await stage.backup.run();
  const server = await startStandIn();
  const log = openEventStoreDbLog({ url: `esdb://${server.host}:${server.port}?tls=false` });
  const into = await testDatabase();
  opened.push(into);
  const owner = testPool(into.ownerUrl, 2);
  try {
    const sources = {
      target: stage.target,
      reader: stage.reader,
      manifest,
      newest: manifest,
      logKeys: [logKey],
    };
    await restore(sources, owner, serverSink(log));
    const plain = ({ position: _, ...event }: { position: string }) => event;
    const written = await log.readAll('0', 1_000);
    expect(written.map(plain)).toEqual((await stage.sources.log.readAll('0', 1_000)).map(plain));
    const [, second] = await log.readStream(first, 0);
    const { rows } = await into.pool.query('select position::text as at from state.process_positions');
    expect(rows).toEqual([{ at: second?.position }]);
  } finally {
    await owner.end();
    await log.close();
    server.kill();
  }
}, 60_000);
