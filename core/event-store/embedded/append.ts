import { DatabaseError } from 'pg';
import { EventStoreUnavailableError, WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { comparePositions, type ExpectedRevision, type Position } from '#core/event-store/port.ts';
import type { Query } from '#core/event-store/query.ts';
import type { NewRawEvent, RawLog } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { lockNumbers } from '#core/postgres/locks.ts';
import { plannedOnce } from '#core/postgres/statement.ts';

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

async function sendTogether(query: Query, appends: readonly PendingAppend[]): Promise<Row[]> {
  const events = appends.flatMap((one) => one.events);
  const [first] = appends;
  const [event] = events;
  if (first && event && events.length === 1) {
    const row = await sendEvent(query, first, event);
    if (row) return [row];
  }
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
      jsonbArray(events.map(({ data }) => data)),
      jsonbArray(events.map(({ meta }) => meta)),
    ]),
  );
}

/**
 * One event that follows the end of its stream while no other process appends, which is what most commands are: one statement, in
 * about two thirds of the time of the function. Answers null for any other, which wrote nothing: the function says what it is.
 */
async function sendEvent(
  query: Query,
  { stream, revision: end }: PendingAppend,
  { id, type, schema, at, data, meta }: StoredEvent,
): Promise<Row | null> {
  const revision = end + 1;
  const values = [stream, revision, id, type, schema, at, data, meta];
  try {
    const [row] = await query<Pick<Row, 'pos'>>(plannedOnce(appendEvent, values));
    return row ? { outcome: 'appended', revision, pos: row.pos } : null;
  } catch (error) {
    // The statement sees the log as it was before it had the lock: another process took the position meanwhile.
    if (isTaken(error)) return null;
    throw error;
  }
}

// What is asked of the log waits for nothing: while another process appends, the function waits for its lock. The ends are the first
// rows of an index, so that a plan made while the table was small does not read all of it.
const appendEvent = `with held as materialized (select pg_try_advisory_xact_lock(${lockNumbers.append}) as is_held),
  place as materialized (
    select coalesce((select e.pos from event_store.events e order by e.pos desc limit 1), 0) + 1 as pos
    from held
    where is_held and $2::integer = 1 + coalesce(
      (select e.revision from event_store.events e where e.stream = $1::text order by e.revision desc limit 1), -1)
  ),
  appended as (
    insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
    select place.pos, $1, $2, $3, $4, $5, $6, $7, $8 from place
    returning pos
  )
select pos, pg_notify('event_store', pos::text) from appended`;

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

export type Groups<Item, Answer> = Readonly<{
  /** Serves a group at once, answers in the order of its items. What it throws befalls all of them. */
  send(items: readonly Item[]): Promise<readonly PromiseSettledResult<Answer>[]>;
  weigh(item: Item): number;
  /** Bounds of a group. An item that is heavier than that goes alone. */
  most: number;
  heaviest: number;
  /** The longest that an item waits for its answer. */
  timeoutMs: number;
}>;

type Waiting<Item, Answer> = Readonly<{
  item: Item;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}>;

/**
 * Makes of `send` a function for single items. One group is in flight at a time; what comes meanwhile goes with the
 * next, in order of arrival. Throws `EventStoreUnavailableError` when the answer does not come in time.
 */
export function createGroups<Item, Answer>(options: Groups<Item, Answer>): (item: Item) => Promise<Answer> {
  const { timeoutMs } = options;
  const queue = new Set<Waiting<Item, Answer>>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    // A caller that was just answered and asks again in the same turn of the event loop goes with those that waited.
    while (await nextTurn(queue)) await serve(take(queue, options), options);
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve: settle(resolve), reject: settle(reject) };
      const timer = setTimeout(() => {
        queue.delete(waiting);
        reject(new EventStoreUnavailableError('no answer in time'));
      }, timeoutMs);
      function settle<T>(next: (value: T) => void) {
        return (value: T) => {
          clearTimeout(timer);
          next(value);
        };
      }
      queue.add(waiting);
      if (!running) void run();
    });
}

function nextTurn(queue: ReadonlySet<unknown>): Promise<boolean> {
  return new Promise((resolve) => setImmediate(() => resolve(queue.size > 0)));
}

function take<Item, Answer>(
  queue: Set<Waiting<Item, Answer>>,
  { weigh, most, heaviest }: Groups<Item, Answer>,
): Waiting<Item, Answer>[] {
  const group: Waiting<Item, Answer>[] = [];
  let weight = 0;
  for (const waiting of queue) {
    weight += weigh(waiting.item);
    if (group.length === most || (group.length > 0 && weight > heaviest)) break;
    group.push(waiting);
    queue.delete(waiting);
  }
  return group;
}

async function serve<Item, Answer>(
  group: readonly Waiting<Item, Answer>[],
  { send }: Groups<Item, Answer>,
): Promise<void> {
  try {
    const answers = await send(group.map(({ item }) => item));
    for (const [index, { resolve, reject }] of group.entries()) {
      const answer = answers[index];
      if (answer?.status === 'fulfilled') resolve(answer.value);
      else reject(answer?.reason);
    }
  } catch (reason) {
    for (const { reject } of group) reject(reason);
  }
}
