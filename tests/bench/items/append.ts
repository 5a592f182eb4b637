import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { withMacs } from '#core/event-store/chain.ts';
import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import type { EventStore, NewEvent } from '#core/event-store/port.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { closedLoop } from '#tests/bench/closed-loop.ts';
import { type Figure, type Item, perSecond } from '#tests/bench/figure.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { anyPrepared, type BenchDatabase, database } from '#tests/bench/prepared.ts';
import { scratchDatabase } from '#tests/bench/scratch-database.ts';
import { median, ratioOf } from '#tests/bench/statistics.ts';

const CLIENTS = [
  { clients: 1, least: 0.65 },
  { clients: 16, least: 0.85 },
] as const;

/** The log against bare inserts of the same rows into a table with the same keys, each committed to the disk. */
export const append: Item = {
  name: 'append',
  about: 'appends to the embedded log against bare inserts of the same rows, 1 and 16 clients',
  measure: (log) =>
    onScratchDatabase(async (scratch, pool) => {
      const connectionString = scratch.url;
      const store = createEmbeddedEventStore({ pool, connectionString, dataKey: randomBytes(32) });
      try {
        const inserts = await bareInserts(scratch);
        const measured: Figure[] = [];
        for (const { clients, least } of CLIENTS) {
          const budget = `≥ ${least} of bare inserts`;
          const goal = { what: 'append', clients, least, budget };
          measured.push(await compare(goal, { subject: appendsTo(store, clients), control: inserts }, log));
        }
        return measured;
      } finally {
        await store.close();
      }
    }),
};

/** Work on a migrated, empty database, with a pool of 16 connections to it. */
export async function onScratchDatabase<T>(
  work: (scratch: BenchDatabase, pool: Pool) => Promise<T>,
): Promise<T> {
  const beside = await database(anyPrepared());
  const scratch = await scratchDatabase(beside, 16);
  const pool = new SessionPool({ connectionString: scratch.url, max: 16 });
  pool.on('error', () => {});
  try {
    return await work(scratch, pool);
  } finally {
    await pool.end();
    await scratch.close();
    await beside.close();
  }
}

type Goal = Readonly<{ what: string; clients: number; least: number; budget: string; pairs?: number }>;
type Call = (client: number) => Promise<unknown>;

/** How many calls a second clients make in a closed loop, in turns with a control; each pair takes four seconds. */
export async function compare(
  { what, clients, least, budget, pairs: count = 7 }: Goal,
  { subject, control }: Readonly<{ subject: Call; control: Call }>,
  log: (text: string) => void,
): Promise<Figure> {
  const run = (call: Call, seconds = 2) => closedLoop({ clients, seconds }, call);
  await run(subject, 1);
  await run(control, 1);
  const pairs = await inPairs(
    count,
    () => run(subject),
    () => run(control),
  );
  log(`${what}, ${clients}: ${pairs.map((pair) => pair.map(Math.round).join(' : ')).join('  ')}`);
  const ratio = ratioOf(pairs);
  return {
    what: `${what}, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
    value: perSecond(median(pairs.map(([ours]) => ours))),
    control: perSecond(median(pairs.map(([, other]) => other))),
    ...{ ratio, budget, met: ratio.median >= least },
  };
}

/** The event that the items about appends write: the notes of a job, which are personal. */
export function noteOn(jobId: string): NewEvent {
  const notes = 'Stopcock is in the laundry cupboard. Bring 15 mm cartridge and a tap reseater.';
  const data = { jobId, businessId: 'business-bench', notes, changedAt: '2026-11-20T00:00:00.000Z' };
  return { id: crypto.randomUUID(), event: { type: 'JobNotesChanged', data } };
}

export const context = {
  actor: 'system',
  causation: 'bench',
  correlation: 'bench',
  at: '2026-11-20T00:00:00.000Z',
};

/** Each client appends to a stream of its own, one event at a time, checked, sealed and chained as ever. */
export function appendsTo(store: EventStore, clients: number) {
  const streams = Array.from({ length: clients }, () => {
    const jobId = crypto.randomUUID();
    return { jobId, stream: streamName('job', jobId), revision: -1 };
  });
  return async (client: number) => {
    const at = streams[client];
    if (!at) throw new RangeError('no such client');
    const expected = at.revision < 0 ? 'no-stream' : at.revision;
    at.revision = (await store.append(at.stream, expected, [noteOn(at.jobId)], context)).revision;
  };
}

/** Rows as the log stores them, made beforehand: the insert alone is timed. */
async function bareInserts({ pool }: BenchDatabase) {
  await pool.query(`create table bare_events (pos bigint primary key, stream text collate "C" not null,
    revision integer not null, id uuid not null unique, type text not null, schema integer not null,
    at timestamptz(3) not null, data jsonb not null, meta jsonb not null, unique (stream, revision))`);
  const note = noteOn(crypto.randomUUID());
  const stream = streamName('job', crypto.randomUUID());
  const keys = new Map([[subjectOf(note.event) ?? '', randomBytes(32)]]);
  const place = { stream, revision: -1, previous: null };
  const [row] = withMacs(randomBytes(32), encodeEvents(place, [note], context, keys));
  if (!row) throw new Error('nothing was encoded');
  const [data, metadata] = [JSON.stringify(row.data), JSON.stringify(row.metadata)];
  let position = 0;
  return async () => {
    position += 1;
    await pool.query({
      name: 'bare-insert',
      text: 'insert into bare_events values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      values: [position, stream, position, crypto.randomUUID(), row.type, row.schema, row.at, data, metadata],
    });
  };
}
