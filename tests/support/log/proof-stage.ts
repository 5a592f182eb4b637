import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import { macKeyOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { type CheckpointBody, openNote, readCheckpoint } from '#core/proof/note.ts';
import { type ProofOptions, proveOnce } from '#projections/proof/follow.ts';
import { rootsAt } from '#projections/proof/roots.ts';
import { statementKeyOf } from '#projections/proof/statements.ts';
import { readProgress, storedRoot } from '#projections/proof/tree.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';

const never = new AbortController().signal;
const start = Date.parse('2026-11-23T00:00:00Z');

/** A log of its own for each test, the follower that proves it, and a clock that the test moves. Registers the hooks. */
export function proofStage() {
  let database: TestDatabase;
  let store: ReturnType<typeof createEmbeddedEventStore>;
  let minutes = 0;
  let outside: string[] = [];
  let options: ProofOptions;

  beforeEach(async () => {
    database = await testDatabase();
    const { url: connectionString, pool } = database;
    const dataKey = randomBytes(32);
    store = createEmbeddedEventStore({ pool, connectionString, dataKey });
    minutes = 0;
    outside = [];
    options = {
      ...{ log: store, pool, connectionString, host: 'jobs.example.com' },
      keys: { key: Buffer.alloc(32, 1), clock: Buffer.alloc(32, 2), before: null },
      macKey: macKeyOf(dataKey),
      statementKey: statementKeyOf(dataKey),
      outlet: { add: async (note) => void outside.push(note), newest: async () => outside.at(-1) ?? null },
      now: () => new Date(start + minutes * 60_000),
    };
  });
  afterEach(async () => {
    await store?.close();
    await database?.close();
  });

  return {
    never,
    pool: () => database.pool,
    admin: () => database.admin,
    store: () => store,
    options: () => options,
    /** What was handed out. */
    outside: () => outside,
    /** Moves the clock. */
    pass(wait: number): void {
      minutes += wait;
    },
    /** Appends so many events to a new stream. */
    seed(amount: number) {
      const stream = newJobStream();
      const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
      return store.append(stream, 'no-stream', events, cause);
    },
    /** Lets the follower look once, a minute later unless said otherwise: a checkpoint is due. */
    prove(with_: Partial<ProofOptions> = {}, wait = 1) {
      minutes += wait;
      return proveOnce({ ...options, ...with_ }, silentLog, never);
    },
    stopped: async () => (await readProgress(database.pool)).stopped,
    /** The root of the stored tree and that of the log, in hex. */
    storedRoot: async (size: number) => hex(await storedRoot(database.pool, store, size)),
    logRoot: async (size: number) => hex((await rootsAt(store, [size], { signal: never })).roots.get(size)),
    /** What is in the database, by size. */
    async checkpoints(): Promise<CheckpointBody[]> {
      const { rows } = await database.pool.query<{ note: string }>(
        'select note from proof.checkpoints order by size',
      );
      return rows.flatMap(({ note }) => readCheckpoint(openNote(note, [])?.text ?? '') ?? []);
    },
  };
}

export function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}
