import { afterAll, beforeAll, expect, test } from 'vitest';
import { listManifests, type Manifest, manifestVerifier, readManifest } from '#api/backup/manifest.ts';
import { restore } from '#api/backup/restore.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { testDatabase, testPool } from '#tests/support/app/database.ts';
import { type BackupStage, backupKeys, logKey, openBackupStage } from '#tests/support/log/running-log.ts';
import { workersOf } from '#tests/support/processes/workers.ts';
import { everyFault } from '#tests/support/run/fault-rounds.ts';
import type { BackupOrder } from './backup-worker.ts';

/** All twenty with all rounds; the suite itself makes do with every fifth. */
const POINTS = everyFault ? 20 : 3;
/** Events that are appended while one backup is taken. */
const TRAFFIC = 60;
const script = new URL('./backup-worker.ts', import.meta.url).pathname;

let stage: BackupStage;
let minutes = 0;
const backups = workersOf<BackupOrder, number>(script, () => [
  ...[stage.database.url, stage.folder, stage.recipient],
]);

beforeAll(async () => {
  stage = await openBackupStage();
  await stage.seed(50);
});
afterAll(async () => {
  await backups.close();
  await stage?.close();
});

/** A fresh subject for each few events, so that keys come while a backup is taken. */
async function traffic(): Promise<void> {
  for (let n = 0; n < TRAFFIC; n += 3) await stage.seed(3);
}

/** The points that a backup passed, or the signal that ended it. */
async function backUp(fatal = 0): Promise<number | string> {
  minutes += 1;
  const at = Date.parse('2026-11-23T00:00:00Z') + minutes * 60_000;
  const [outcome] = await Promise.all([backups.carryOut({ at, fatal }), traffic()]);
  return outcome;
}

async function newest(): Promise<Manifest> {
  const name = (await listManifests(stage.target)).at(-1) ?? '';
  return readManifest(stage.target, name, [manifestVerifier(logKey)]);
}

/** The newest backup is a beginning of the log, and every event of it can be read with the keys that came with it. */
async function expectRestorable(): Promise<number> {
  const manifest = await newest();
  const into = await testDatabase();
  const owner = testPool(into.ownerUrl, 2);
  const { target, reader } = stage;
  await restore({ target, reader, manifest, newest: manifest, logKeys: [logKey], checkpoints: '' }, owner);
  await owner.end();
  const all = `select * from event_store.events where pos <= $1 order by pos`;
  const [restored, stored] = await Promise.all(
    [into, stage.database].map(async ({ pool }) => (await pool.query(all, [manifest.log.size])).rows),
  );
  expect(restored).toHaveLength(manifest.log.size);
  expect(restored).toEqual(stored);
  const store = createEmbeddedEventStore({
    ...{ pool: into.pool, connectionString: into.url, dataKey: backupKeys.data },
  });
  const events = await store.readAll('0', manifest.log.size);
  expect(events.filter(({ event }) => !JSON.stringify(event?.data).includes('note '))).toEqual([]);
  await store.close();
  await into.close();
  return manifest.log.size;
}

test(
  `killed at ${POINTS} points while events are appended, every backup there is restores, and the next one goes on`,
  async () => {
    await backUp();
    const points = Number(await backUp());
    expect(points).toBeGreaterThan(10);
    let size = await expectRestorable();
    for (let n = 0; n < POINTS; n += 1) {
      const fatal = 1 + Math.floor((n * points) / POINTS);
      expect(await backUp(fatal)).toBe('SIGKILL');
      const restored = await expectRestorable();
      expect(restored).toBeGreaterThanOrEqual(size);
      size = restored;
    }
    await backUp();
    expect(await expectRestorable()).toBeGreaterThan(size);
  },
  POINTS * 15_000,
);
