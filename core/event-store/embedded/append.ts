import { DatabaseError } from 'pg';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { EventStoreUnavailableError, WrongExpectedRevisionError } from '../errors.ts';
import { comparePositions, type ExpectedRevision, type Position } from '../port.ts';
import type { Query } from '../query.ts';
import type { NewRawEvent, RawLog } from '../raw-log.ts';
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
  const taken = reason instanceof DatabaseError && reason.code === UNIQUE_VIOLATION;
  return taken
    ? { status: 'fulfilled', value: { outcome: 'conflict', revision, pos: '' } }
    : { status: 'rejected', reason };
}

function sendTogether(query: Query, appends: readonly PendingAppend[]): Promise<Row[]> {
  const events = appends.flatMap((one) => one.events);
  let last = 0;
  return query<Row>(
    plannedOnce('select outcome, revision, pos from event_store.append($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      appends.map((one) => {
        last += one.events.length;
        return last;
      }),
      appends.flatMap(({ stream, events }) => events.map(() => stream)),
      appends.flatMap(({ revision, events }) => events.map((_, n) => revision + 1 + n)),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ schema }) => schema),
      events.map(({ at }) => at),
      events.map(({ data }) => data),
      events.map(({ meta }) => meta),
    ]),
  );
}
