import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notesIn } from '#api/proof/checkpoint-store.ts';
import { rootsAt } from '#api/proof/roots.ts';
import { readProgress } from '#api/proof/tree.ts';
import { openNote } from '#core/crypto/note.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { readCheckpoint } from '#core/proof/checkpoint.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { workersOf } from '#tests/support/processes/workers.ts';
import { everyFault } from '#tests/support/run/fault-rounds.ts';
import type { ProofOrder } from './proof-worker.ts';

const POINTS = everyFault ? 20 : 8;
/** Events between two kills: more than a subtree of 256 leaves now and then. */
const MOST = 90;
const MINUTE = 60_000;

const script = new URL('./proof-worker.ts', import.meta.url).pathname;
const dataKey = randomBytes(32);
const folder = tempFolder('kill-mid-checkpoint');
const file = join(folder.path, 'checkpoints.txt');
const signing = workersOf<ProofOrder, number>(script, () => [database.url, dataKey.toString('hex'), file]);

let database: TestDatabase;
let store: ReturnType<typeof createEmbeddedEventStore>;
let size = 0;
let time = Date.parse('2026-11-23T00:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
  const { pool, url: connectionString } = database;
  store = createEmbeddedEventStore({ pool, connectionString, dataKey });
});
afterAll(async () => {
  await signing.close();
  await store?.close();
  await database?.close();
  folder.remove();
});

async function seed(amount: number): Promise<void> {
  const stream = newJobStream();
  const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
  await store.append(stream, 'no-stream', events, cause);
  size += amount;
}

/** The points that a worker passed, or the signal that ended it. */
async function work({ looks = 1, fatal = 0 } = {}): Promise<number | string> {
  const begin = time;
  time += looks * MINUTE;
  return signing.carryOut({ begin, looks, fatal });
}

/** Every note that is stored or left, as `size root`, each once. */
async function signed(): Promise<string[]> {
  const { rows } = await database.pool.query<{ note: string }>('select note from proof.checkpoints');
  const outside = notesIn(await readFile(file, 'utf8'));
  const bodies = [...rows.map(({ note }) => note), ...outside].map((note) =>
    readCheckpoint(openNote(note, [])?.text ?? ''),
  );
  return [...new Set(bodies.map((body) => `${body?.size} ${Buffer.from(body?.root ?? []).toString('hex')}`))];
}

/** Every size has one root, that of the log; the newest is of the whole log, and stands outside too. */
async function expectOneHistory(): Promise<void> {
  const all = await signed();
  const sizes = all.map((one) => Number(one.split(' ')[0])).toSorted((a, b) => a - b);
  const { roots } = await rootsAt(store, sizes, { signal: new AbortController().signal });
  expect(all.toSorted()).toEqual(
    sizes.map((one) => `${one} ${Buffer.from(roots.get(one) ?? []).toString('hex')}`).toSorted(),
  );
  expect(await readProgress(database.pool)).toMatchObject({ size, stopped: null });
  expect(sizes.at(-1)).toBe(size);
  expect(await readFile(file, 'utf8')).toContain(`\n${size}\n`);
}

test(`killed at ${POINTS} points of a checkpoint's making, the next process goes on: no gap, and one root for each size`, async () => {
  await seed(MOST);
  await work();
  await seed(MOST);
  const points = Number(await work());
  expect(points).toBeGreaterThan(20);
  for (let n = 0; n < POINTS; n += 1) {
    await seed(1 + ((n * 37) % MOST));
    const fatal = 1 + Math.floor((n * points) / POINTS);
    // What a kill before left undone makes the next one's way longer, or its checkpoint due sooner, never shorter.
    expect(await work({ fatal })).toBe('SIGKILL');
  }
  await work({ looks: 2 });
  await expectOneHistory();
}, 200_000);

test('half a note, which a process left in the file as it was killed, does no harm', async () => {
  await seed(3);
  await writeFile(file, 'jobs.example.com/log/7f3a91c2\n12\nhalf a', { flag: 'a' });
  await work({ looks: 2 });
  await expectOneHistory();
}, 20_000);

test('two processes at once, both without a lead, sign one history and stop nothing', async () => {
  await seed(10);
  // Both are there, so that the start of one is no lead of the other.
  await Promise.all([work(), work()]);
  const working = [work({ looks: 25 }), work({ looks: 25 })];
  for (let n = 0; n < 25; n += 1) await seed(1 + ((n * 37) % MOST));
  for (const points of await Promise.all(working)) expect(points).toBeGreaterThan(0);
  await seed(1);
  await work({ looks: 2 });
  await expectOneHistory();
}, 60_000);
