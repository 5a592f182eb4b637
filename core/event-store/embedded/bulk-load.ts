import type { Pool, PoolClient } from 'pg';
import { macKeyOf, withMacs } from '#core/event-store/chain.ts';
import { encodeEvents, subjectOf } from '#core/event-store/codec.ts';
import type { Cause, NewEvent, Position } from '#core/event-store/port.ts';
import type { NewRawEvent } from '#core/event-store/raw-log.ts';
import { checkCause, checkStorable } from '#core/event-store/storable.ts';
import { createSubjectKeys, type SubjectKey } from '#core/event-store/subject-keys.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { copyIn, copyLine } from '#core/postgres/copy-in.ts';
import { lockNumbers } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';

/** A stream that is not in the log yet, and its whole history: events that one command led to, command by command. */
export type NewStream = Readonly<{
  stream: StreamName;
  history: readonly Readonly<{ events: readonly NewEvent[]; context: Cause & { at: string } }>[];
}>;

export type Loaded = Readonly<{ streams: number; events: number; position: Position }>;

type Placed = Readonly<{ stream: StreamName; revision: number; event: NewRawEvent }>;

const COLUMNS = 'pos, stream, revision, id, type, schema, at, data, meta';

/** Streams as they will be stored, but for their positions. */
export type Prepared = readonly Placed[];

export type BulkLoader = Readonly<{
  /** Checks, seals and chains. Throws as `EventStore.append` does, RangeError when a history goes back in time. */
  prepare(streams: readonly NewStream[]): Promise<Prepared>;
  /** One transaction, in the order of the events' instants. A stream that the log has already is left as it is. */
  write(prepared: Prepared): Promise<Loaded>;
}>;

/**
 * Loads whole streams by COPY, many times faster than appends: the same checks, keys, hashes and positions. A write
 * holds the append lock, so give it some thousand events at a time; one batch can be prepared while another is written.
 */
export function createBulkLoader({ pool, dataKey }: { pool: Pool; dataKey: Buffer }): BulkLoader {
  const keys = createSubjectKeys({ pool, dataKey });
  const macKey = macKeyOf(dataKey);
  return {
    async prepare(streams) {
      const commands = streams.flatMap(({ history }) => history);
      for (const { events, context } of commands) {
        checkStorable(events);
        checkCause(context);
      }
      const subjects = commands.flatMap(({ events }) =>
        events.flatMap(({ event }) => subjectOf(event) ?? []),
      );
      const found = await keys.ensure(subjects);
      return streams.flatMap((stream) => encode(stream, found, macKey)).sort(byInstant);
    },

    write: (prepared) => inTransaction(pool, (db) => copyAll(db, prepared)),
  };
}

function encode(
  { stream, history }: NewStream,
  keys: ReadonlyMap<string, SubjectKey>,
  macKey: Buffer,
): Placed[] {
  const placed: Placed[] = [];
  for (const { events, context } of history) {
    const last = placed.at(-1)?.event;
    const place = { stream, revision: placed.length - 1, previous: last?.metadata.hash ?? null };
    for (const event of withMacs(macKey, encodeEvents(place, events, context, keys))) {
      if (last && event.at < last.at) throw new RangeError('a history goes back in time');
      placed.push({ stream, revision: placed.length, event });
    }
  }
  return placed;
}

/** Instants have one width; within a stream the order is that of the revisions. */
function byInstant(a: Placed, b: Placed): number {
  if (a.event.at !== b.event.at) return a.event.at < b.event.at ? -1 : 1;
  if (a.stream !== b.stream) return a.stream < b.stream ? -1 : 1;
  return a.revision - b.revision;
}

async function copyAll(client: PoolClient, placed: readonly Placed[]): Promise<Loaded> {
  await client.query('select pg_advisory_xact_lock($1)', [lockNumbers.append]);
  const { rows } = await client.query<{ pos: Position; known: StreamName[] }>(
    `select coalesce((select max(pos) from event_store.events), 0) as pos,
       array(select stream from event_store.events where revision = 0 and stream = any($1)) as known`,
    [[...new Set(placed.map(({ stream }) => stream))]],
  );
  const { pos = '0', known = [] } = rows[0] ?? {};
  const there = new Set(known);
  const fresh = placed.filter(({ stream }) => !there.has(stream));
  const first = BigInt(pos) + 1n;
  const lines = fresh.map(({ stream, revision, event }, index) => {
    const { id, type, schema, at, data, metadata } = event;
    const place = [String(first + BigInt(index)), stream, revision] as const;
    return copyLine([...place, id, type, schema, at, JSON.stringify(data), JSON.stringify(metadata)]);
  });
  if (lines.length > 0) {
    await copyIn(client, `copy event_store.events (${COLUMNS}) from stdin`, lines);
    await client.query("select pg_notify('event_store', $1)", [String(first + BigInt(lines.length) - 1n)]);
  }
  return {
    streams: new Set(fresh.map(({ stream }) => stream)).size,
    events: lines.length,
    position: String(first + BigInt(lines.length) - 1n),
  };
}
