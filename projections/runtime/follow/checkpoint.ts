import type { Pool, PoolClient } from 'pg';
import { type EventStore, type Position, type RecordedEvent, START } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type Build, exchangeLock, liveBuild, readModelCheckpoints } from '#projections/runtime/build.ts';
import { readModelChannel } from '#projections/runtime/notify.ts';
import type { CheckpointTables, LastWrite, Projection } from '#projections/runtime/projection.ts';

export type Checkpoint = Readonly<{ position: Position; version: number }>;

/** The checkpoint of a build; null when its tables have not been filled yet. */
export async function readCheckpoint(
  db: Pool | PoolClient,
  key: string,
  { positions, follower }: CheckpointTables = readModelCheckpoints,
): Promise<Checkpoint | null> {
  const { rows } = await db.query<Checkpoint>(
    `select position, version from ${positions} where ${follower} = $1`,
    [key],
  );
  return rows[0] ?? null;
}

/** The checkpoint of a build; made at `position`, the start of the log unless told otherwise, when there is none. */
export async function openCheckpoint(
  db: Pool | PoolClient,
  key: string,
  version: number,
  position = START,
  tables: CheckpointTables = readModelCheckpoints,
): Promise<Checkpoint> {
  const { positions, follower } = tables;
  await db.query(
    `insert into ${positions} (${follower}, version, position) values ($1, $2, $3) on conflict do nothing`,
    [key, version, position],
  );
  return (await readCheckpoint(db, key, tables)) ?? { position, version };
}

export type LockedCheckpoint = Readonly<{ position: Position; hasParked: boolean }>;

/**
 * Locks the checkpoint to the end of the transaction and answers it, null when there is none.
 * Every writer of the build's tables comes by here first, so there is one at a time.
 */
export async function lockCheckpoint(
  db: PoolClient,
  key: string,
  { positions, parked, follower }: CheckpointTables = readModelCheckpoints,
): Promise<LockedCheckpoint | null> {
  const { rows } = await db.query<LockedCheckpoint>({
    name: `lock-checkpoint ${positions}`,
    text: `select position, exists (select from ${parked} where ${follower} = $1) as "hasParked"
      from ${positions} where ${follower} = $1 for update`,
    values: [key],
  });
  return rows[0] ?? null;
}

/**
 * Moves the checkpoint, by compare-and-set, and makes it with a first batch; at commit the processes that read the tables
 * get `notifications`. Throws when it is not where the batch began.
 */
export async function moveCheckpoint(
  db: PoolClient,
  { key, version, checkpoints }: Readonly<{ key: string; version: number; checkpoints: CheckpointTables }>,
  from: Position,
  to: Position,
  notifications: readonly string[] = [],
): Promise<void> {
  const { positions, follower } = checkpoints;
  const move = `insert into ${positions} as live (${follower}, version, position) values ($1, $2, $4)
      on conflict (${follower}) do update set position = excluded.position where live.position = $3`;
  const values = [key, version, from, to];
  const { rowCount } = await db.query(
    notifications.length === 0
      ? { name: `move-checkpoint ${positions}`, text: move, values }
      : {
          name: `move-checkpoint-and-notify ${positions}`,
          text: `with moved as (${move} returning ${follower})
            select pg_notify('${readModelChannel}', payload) from moved, unnest($5::text[]) as payload`,
          values: [...values, notifications],
        },
  );
  if (rowCount !== Math.max(1, notifications.length)) {
    throw new Error(`the checkpoint of ${key} was moved by another writer`);
  }
}

/**
 * Writes `write` and moves the checkpoint in one statement. False, and nothing is written, when it is not where the batch
 * began, when something is set aside, or while the tables are exchanged: then the checkpoint is to be locked first.
 */
export async function writeAndMove(
  db: PoolClient,
  { key, checkpoints }: Readonly<{ key: string; checkpoints: CheckpointTables }>,
  { from, to }: Readonly<{ from: Position; to: Position }>,
  { name, queries, values }: LastWrite,
  notifications: readonly string[],
): Promise<boolean> {
  const { positions, parked, follower } = checkpoints;
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((n) => `$${values.length + n}`);
  // The lock is asked for before the row is waited for: an exchange of the tables holds the row, and waits for the tables.
  const move = `update ${positions} set position = ${three} where ${follower} = ${one} and position = ${two}
    and pg_try_advisory_xact_lock_shared(hashtextextended(${four}, 0))
    and not exists (select from ${parked} where ${follower} = ${one}) returning ${follower}`;
  const text = `with moved as (${[`${move})`, ...queries].join(', ')} select`;
  const all = [...values, key, from, to, exchangeLock(key)];
  const { rowCount } = await db.query(
    notifications.length === 0
      ? { name: `${name} and move`, text: `${text} from moved`, values: all }
      : {
          name: `${name}, move and notify`,
          text: `${text} pg_notify('${readModelChannel}', payload) from moved, unnest(${five}::text[]) as payload`,
          values: [...all, notifications],
        },
  );
  return rowCount !== 0;
}

/** Moves the checkpoint where nothing else is to be written, by compare-and-set; false when it is not where it should be. */
export async function passTo(
  pool: Pool,
  { key, checkpoints }: Readonly<{ key: string; checkpoints: CheckpointTables }>,
  from: Position,
  to: Position,
): Promise<boolean> {
  const { positions, follower } = checkpoints;
  const { rowCount } = await pool.query({
    name: `pass-checkpoint ${positions}`,
    text: `update ${positions} set position = $3 where ${follower} = $1 and position = $2`,
    values: [key, from, to],
  });
  return rowCount === 1;
}

/** A follower without tables that acts on the log, and from where it follows where it has no checkpoint. */
export type FollowingProcess = Projection & Readonly<{ begins: 'at the start' | 'now' }>;

type Opening = Readonly<{ pool: Pool; store: Pick<EventStore, 'head'> }>;

/** Makes the checkpoint of a process where there is none, so whatever begins to serve calls this first. */
export async function openProcess({ pool, store }: Opening, process: FollowingProcess): Promise<void> {
  const { key, checkpoints } = liveBuild(process);
  if ((await readCheckpoint(pool, key, checkpoints)) !== null) return;
  const beginning = process.begins === 'now' ? await store.head() : START;
  await inTransaction(pool, (db) => openCheckpoint(db, key, process.version, beginning, checkpoints));
}

type Stored = Pick<Build, 'key' | 'checkpoints'>;

export type Parked = Readonly<{ event: RecordedEvent; reason: string }>;

/**
 * Divides a batch into what can be applied and what is set aside: unreadable events, the ones `rejected` names
 * (position to reason), and whatever follows in a stream that has something parked, now or before.
 */
export function setAside(
  events: readonly RecordedEvent[],
  rejected: ReadonlyMap<string, string>,
  parkedBefore: Iterable<string>,
): { sound: RecordedEvent[]; parked: Parked[] } {
  const blocked = new Set(parkedBefore);
  const sound: RecordedEvent[] = [];
  const parked: Parked[] = [];
  for (const event of events) {
    const reason =
      rejected.get(event.position) ??
      event.unreadable ??
      (blocked.has(event.stream) ? 'follows a parked event' : undefined);
    if (reason === undefined) sound.push(event);
    else {
      blocked.add(event.stream);
      parked.push({ event, reason });
    }
  }
  return { sound, parked };
}

/** Writes down what was set aside. The same event twice is one row. */
export async function park(
  db: PoolClient,
  { key, checkpoints }: Stored,
  parked: readonly Parked[],
): Promise<void> {
  if (parked.length === 0) return;
  const rows = parked.map(({ event, reason }) => ({
    [checkpoints.follower]: key,
    position: event.position,
    stream: event.stream,
    revision: event.revision,
    type: event.type,
    reason: reason.slice(0, 300),
  }));
  await db.query(
    `insert into ${checkpoints.parked}
     select * from json_populate_recordset(null::${checkpoints.parked}, $1)
     on conflict (${checkpoints.follower}, position) do nothing`,
    [JSON.stringify(rows)],
  );
}

/** The streams of these events that have something parked. */
export async function parkedStreams(
  db: PoolClient,
  { key, checkpoints }: Stored,
  events: readonly RecordedEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const streams = [...new Set(events.map((event) => event.stream))];
  const { rows } = await db.query<{ stream: string }>(
    `select distinct stream from ${checkpoints.parked} where ${checkpoints.follower} = $1 and stream = any($2)`,
    [key, streams],
  );
  return rows.map((row) => row.stream);
}
