import type { Pool } from 'pg';
import type { ReaderPosition } from '#core/event-store/log-origin.ts';
import { comparePositions, type EventStore, type Position, START } from '#core/event-store/port.ts';
import { listenerOf } from '#core/postgres/listen.ts';
import { lockClass } from '#core/postgres/locks.ts';
import { type Build, keyOf, liveBuild, rebuildLock } from '#projections/runtime/build.ts';
import { readModelChannel } from '#projections/runtime/notify.ts';
import { type CheckpointTables, eventsOf, type Projection } from '#projections/runtime/projection.ts';

export type ProjectionStatus = Readonly<{
  name: string;
  /** Of the code that asks; its tables are this version's alone. */
  version: number;
  position: Position;
  head: Position;
  /** `building`: its tables have not been filled yet, and are not to be read. */
  state: 'live' | 'rebuilding' | 'behind' | 'building';
  /** Events set aside because they cannot be read. */
  parked: number;
}>;

/** What the database knows now of the live tables of a key. */
export type StoredStatus = Readonly<{
  key: string;
  /** They have been filled once. */
  built: boolean;
  position: Position;
  parked: number;
  rebuilding: boolean;
}>;

/**
 * Reads how far the projections are. One is rebuilding while a process holds its rebuild lock, so a rebuild that was
 * killed is not taken for one that runs.
 */
export async function readStoredStatuses(
  pool: Pool,
  followers: readonly Projection[],
): Promise<StoredStatus[]> {
  const builds = followers.map(liveBuild);
  const places = placesOf(builds);
  const keys = builds.map(({ key }) => key);
  if (places.length === 0) return [];
  const { rows } = await pool.query<StoredStatus>(
    `select k.key, c.position is not null as built, coalesce(c.position, $3)::text as position,
       (${places.map(countParked).join(' + ')})::int as parked,
       exists (
         select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and l.granted
           and l.classid = $4::int::oid and l.objid = hashtext(k.lock)::oid and l.objsubid = 2
       ) as rebuilding
     from unnest($1::text[], $2::text[], $5::text[]) as k(key, lock, place)
     left join (${places.map(selectPositions).join(' union all ')}) c using (key, place)`,
    [keys, keys.map(rebuildLock), START, lockClass, builds.map(({ checkpoints }) => checkpoints.positions)],
  );
  return rows;
}

/** The tables in which these builds have their checkpoints, each once. */
function placesOf(builds: readonly Build[]): CheckpointTables[] {
  return [...new Map(builds.map(({ checkpoints }) => [checkpoints.positions, checkpoints])).values()];
}

function countParked({ positions, parked, follower }: CheckpointTables): string {
  return `(select count(*) from ${parked} where ${follower} = k.key and k.place = '${positions}')`;
}

function selectPositions({ positions, follower }: CheckpointTables): string {
  return `select '${positions}' as place, ${follower} as key, position from ${positions}`;
}

/** What of the log a status is measured with. */
export type LogEnd = Pick<EventStore, 'head' | 'readAll'>;

/**
 * The statuses as `ute projections status` and readiness show them. What a follower has passed in memory alone counts: in
 * this process by `known`, in another where the log has nothing after its position that concerns it.
 */
export async function readStatuses(
  pool: Pool,
  log: LogEnd,
  projections: readonly Projection[],
  known: (key: string) => Position = () => START,
): Promise<ProjectionStatus[]> {
  // The head first: what is appended after it does not make a projection look behind.
  const head = await log.head();
  const stored = (await readStoredStatuses(pool, projections)).map((status) => {
    return { ...status, position: later(status.position, known(status.key)) };
  });
  const passed = await passedInMemory(log, projections, stored, head);
  return projections.map((projection) => {
    const { name, version } = projection;
    const key = keyOf(projection);
    const status = stored.find((one) => one.key === key);
    const position = passed.includes(key) ? head : (status?.position ?? START);
    return {
      name,
      version,
      position,
      head,
      state: stateOf(status, position, head),
      parked: status?.parked ?? 0,
    };
  });
}

/** Events that are read to find out whether one concerns a follower: more than a second of them. */
const MOST = 1_000;

/**
 * The keys of those that are behind `to` only because their worker writes down once a second how far they have come past
 * events of others: nothing up to there concerns them. None when the log cannot be reached.
 */
export async function passedInMemory(
  { readAll }: Pick<LogEnd, 'readAll'>,
  projections: readonly Projection[],
  stored: readonly StoredStatus[],
  to: Position,
): Promise<string[]> {
  const behind = projections.flatMap((projection) => {
    const status = stored.find(({ key }) => key === keyOf(projection));
    if (!status?.built || status.rebuilding || comparePositions(status.position, to) >= 0) return [];
    return [{ projection, position: status.position }];
  });
  const [first] = behind.map(({ position }) => position).toSorted(comparePositions);
  if (first === undefined) return [];
  const page = await readAll(first, MOST).catch(() => null);
  const last = page?.at(-1)?.position;
  if (!page || last === undefined || comparePositions(last, to) < 0) return [];
  const until = page.filter(({ position }) => comparePositions(position, to) <= 0);
  return behind
    .filter(({ projection, position }) => {
      const unseen = until.filter((event) => comparePositions(event.position, position) > 0);
      return eventsOf(projection, unseen).length === 0;
    })
    .map(({ projection }) => keyOf(projection));
}

function later(one: Position, other: Position): Position {
  return comparePositions(one, other) >= 0 ? one : other;
}

function stateOf(
  status: StoredStatus | undefined,
  position: Position,
  head: Position,
): ProjectionStatus['state'] {
  if (!status?.built && head !== START) return 'building';
  if (status?.rebuilding) return 'rebuilding';
  return comparePositions(position, head) >= 0 ? 'live' : 'behind';
}

/** How far these followers of the log have come; one without a checkpoint is left out. */
export async function readReaderPositions(
  pool: Pool,
  followers: readonly Pick<Projection, 'name' | 'version' | 'checkpoints'>[],
): Promise<ReaderPosition[]> {
  const builds = followers.map(liveBuild);
  const places = placesOf(builds);
  if (places.length === 0) return [];
  const { rows } = await pool.query<ReaderPosition>(
    `select f.name, c.position::text as position
     from unnest($1::text[], $2::text[], $3::text[]) as f(name, key, place)
     join (${places.map(selectPositions).join(' union all ')}) c using (key, place)`,
    [
      followers.map(({ name }) => name),
      builds.map(({ key }) => key),
      builds.map(({ checkpoints }) => checkpoints.positions),
    ],
  );
  return rows;
}

/** How many processes read the read models of this database just now. */
export async function countReaders(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [listenerOf(readModelChannel)],
  );
  return rows[0]?.n ?? 0;
}
