import { DatabaseError } from 'pg';
import { EventStoreUnavailableError, WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { comparePositions, type ExpectedRevision, type Position } from '#core/event-store/port.ts';
import type { Query } from '#core/event-store/query.ts';
import type { NewRawEvent, RawLog } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { lockNumbers } from '#core/postgres/locks.ts';
import { plannedOnce, type Statement } from '#core/postgres/statement.ts';
import { createGroups } from './groups.ts';

/** Appends that wait for the same moment: the lock on the log is held for this many at most, and this many bytes. */
const GROUP = { most: 64, heaviest: 1024 * 1024 } as const;
const TIMEOUT_MS = 10_000;
const UNIQUE_VIOLATION = '23505';

/** An append with its JSON written out. */
type PendingAppend = Readonly<{
  stream: StreamName;
  revision: number;
  events: readonly StoredEvent[];
  bytes: number;
}>;
type StoredEvent = Readonly<{
  id: string;
  type: string;
  schema: number;
  at: string;
  data: string;
  meta: string;
}>;
type Row = { outcome: 'appended' | 'repeated' | 'conflict'; revision: number; pos: string };

/**
 * `RawLog.append` on the tables of Postgres. Those that wait while one is in flight go together in the next
 * transaction, each with its own outcome. `onAppend` is called after each commit.
 */
export function createAppend(query: Query, onAppend: (last: Position) => void): RawLog['append'] {
  const append = createGroups<PendingAppend, Row>({
    ...GROUP,
    timeoutMs: TIMEOUT_MS,
    weigh: ({ bytes }) => bytes,
    async send(appends) {
      const settled = await sendGroup(query, appends);
      const last = lastPosition(settled);
      if (last !== null) onAppend(last);
      return settled;
    },
  });
  return async (stream, expected, events) => {
    const { outcome, revision, pos } = await append(toAppend(stream, expected, events));
    if (outcome === 'conflict') throw new WrongExpectedRevisionError(stream, expected, toExpected(revision));
    return { revision, position: pos, fresh: outcome === 'appended' };
  };
}

/** The end of what a group appended, or found there; null when it did neither. */
function lastPosition(settled: readonly PromiseSettledResult<Row>[]): Position | null {
  return settled.reduce<Position | null>((last, one) => {
    if (one.status === 'rejected' || one.value.outcome === 'conflict') return last;
    const { pos } = one.value;
    return last === null || comparePositions(pos, last) > 0 ? pos : last;
  }, null);
}

/** Revisions as Postgres counts them: -1 is a stream that is not there. */
export function toExpected(revision: number): ExpectedRevision {
  return revision < 0 ? 'no-stream' : revision;
}

function toAppend(
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly NewRawEvent[],
): PendingAppend {
  const stored = events.map(({ data, metadata, ...event }) => ({
    ...event,
    data: JSON.stringify(data),
    meta: JSON.stringify(metadata),
  }));
  const bytes = stored.reduce(
    (sum, { data, meta }) => sum + Buffer.byteLength(data) + Buffer.byteLength(meta),
    0,
  );
  return { stream, revision: expected === 'no-stream' ? -1 : expected, events: stored, bytes };
}

/** What becomes of each append. One that Postgres refuses undoes its group: each then goes alone and bears its own fate. */
async function sendGroup(
  query: Query,
  appends: readonly PendingAppend[],
): Promise<PromiseSettledResult<Row>[]> {
  try {
    const rows = await sendTogether(query, appends);
    return rows.map((value) => ({ status: 'fulfilled', value }));
  } catch (reason) {
    if (reason instanceof EventStoreUnavailableError) throw reason;
    if (appends.length === 1) return [refusalOf(appends[0] as PendingAppend, reason)];
    const alone: PromiseSettledResult<Row>[] = [];
    for (const one of appends) alone.push(...(await sendGroup(query, [one])));
    return alone;
  }
}

/** The stream is where it was expected, but one of the ids stands elsewhere in the log: that too is a conflict. */
function refusalOf({ revision }: PendingAppend, reason: unknown): PromiseSettledResult<Row> {
  return isTaken(reason)
    ? { status: 'fulfilled', value: { outcome: 'conflict', revision, pos: '' } }
    : { status: 'rejected', reason };
}

/** Whether the position, the revision or the id is in the log already. */
function isTaken(reason: unknown): boolean {
  return reason instanceof DatabaseError && reason.code === UNIQUE_VIOLATION;
}

/** Most commands append to one stream, while no other process appends; for all else, and to say what it was, there is the function. */
async function sendTogether(query: Query, appends: readonly PendingAppend[]): Promise<Row[]> {
  const rows = await sendAtOnce(query, appends);
  if (rows) return rows;
  let last = 0;
  const lasts = appends.map(({ events }) => {
    last += events.length;
    return last;
  });
  const text = 'select outcome, revision, pos from event_store.append($1, $2, $3, $4, $5, $6, $7, $8, $9)';
  return query<Row>(plannedOnce(text, [lasts, ...listsOf(appends)]));
}

/**
 * Appends, each to a stream of its own, by one statement, with less work for Postgres than by the function. Answers null, and has written
 * nothing, where one of them does not follow the end of its stream, and while another process appends.
 */
async function sendAtOnce(query: Query, appends: readonly PendingAppend[]): Promise<Row[] | null> {
  const streams = new Set(appends.map(({ stream }) => stream));
  if (streams.size < appends.length) return null;
  try {
    const [row] = await query<{ first: string }>(statementOf(appends));
    if (!row) return null;
    let last = BigInt(row.first) - 1n;
    return appends.map(({ revision, events }) => {
      last += BigInt(events.length);
      return { outcome: 'appended', revision: revision + events.length, pos: String(last) };
    });
  } catch (error) {
    // The statement sees the log as it was before it had the lock: another process took a place meanwhile.
    if (isTaken(error)) return null;
    throw error;
  }
}

function statementOf(appends: readonly PendingAppend[]): Statement {
  const [only] = appends;
  const [event] = only?.events ?? [];
  if (!only || !event || appends.length + only.events.length > 2) {
    const ends = appends.map((one) => one.revision);
    return plannedOnce(appendEvents, [...listsOf(appends), appends.map((one) => one.stream), ends]);
  }
  const { id, type, schema, at, data, meta } = event;
  return plannedOnce(appendEvent, [only.stream, only.revision + 1, id, type, schema, at, data, meta]);
}

/** What the events of some appends are, column by column. */
function listsOf(appends: readonly PendingAppend[]): unknown[] {
  const events = appends.flatMap((one) => one.events);
  return [
    appends.flatMap(({ stream, events }) => events.map(() => stream)),
    appends.flatMap(({ revision, events }) => events.map((_, n) => revision + 1 + n)),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ schema }) => schema),
    events.map(({ at }) => at),
    jsonbArray(events.map(({ data }) => data)),
    jsonbArray(events.map(({ meta }) => meta)),
  ];
}

// Both wait for nothing: while another process appends, the function waits for its lock. That a revision is taken is found by its
// uniqueness, so that the one before it is all that they look for; by subqueries, of which a plan reads one row by an index.
const held = `held as materialized (select pg_try_advisory_xact_lock(${lockNumbers.append}) as is_held)`;
const head = 'coalesce((select e.pos from event_store.events e order by e.pos desc limit 1), 0)';
const before =
  'select true from event_store.events e where e.stream = before.stream and e.revision = before.revision';
const appendEvent = `with ${held},
  place as materialized (
    select ${head} + 1 as pos
    from held, (select $1::text as stream, $2::integer - 1 as revision) as before
    where is_held and (before.revision < 0 or (${before}))
  ),
  appended as (
    insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
    select place.pos, $1, $2, $3, $4, $5, $6, $7, $8 from place
    returning pos
  )
select pos as first, pg_notify('event_store', pos::text) from appended`;
const appendEvents = `with ${held},
  head as materialized (
    select ${head} as pos
    from held
    where is_held and not exists (
      select from unnest($9::text[], $10::integer[]) as before(stream, revision)
      where before.revision >= 0 and (${before}) is null)
  ),
  appended as (
    insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
    select head.pos + n, stream, revision, id, type, schema, at, data, meta
    from head, (
      select
        generate_subscripts($1::text[], 1) as n,
        unnest($1::text[]) as stream,
        unnest($2::integer[]) as revision,
        unnest($3::uuid[]) as id,
        unnest($4::text[]) as type,
        unnest($5::integer[]) as schema,
        unnest($6::timestamptz[]) as at,
        unnest($7::jsonb[]) as data,
        unnest($8::jsonb[]) as meta
    ) as given
    returning pos
  ),
  ends as (select min(pos) as first, max(pos) as last from appended)
select first, pg_notify('event_store', last::text) from ends where first is not null`;

/** The type `jsonb` in Postgres, and the version of its binary form. */
const JSONB = 3802;
const JSONB_VERSION = 1;

/** `jsonb[]` as Postgres receives it in binary: as text each quote of each value is escaped here and again there. */
function jsonbArray(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 5 + length, 20));
  let at = 0;
  // One dimension, no nulls, the type, how many, numbered from one.
  for (const number of [1, 0, JSONB, texts.length, 1]) at = bytes.writeInt32BE(number, at);
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE((lengths[index] ?? 0) + 1, at);
    at = bytes.writeUInt8(JSONB_VERSION, at);
    at += bytes.write(text, at, 'utf8');
  }
  return bytes;
}
