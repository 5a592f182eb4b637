import type { Pool } from 'pg';
import type { ReaderPosition } from '#core/event-store/log-origin.ts';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { keyOf } from '#projections/runtime/build.ts';
import { lockClass, rebuildLock } from '#projections/runtime/locks.ts';
import type { Projection } from '#projections/runtime/projection.ts';

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
export async function readStoredStatuses(pool: Pool, keys: readonly string[]): Promise<StoredStatus[]> {
  const { rows } = await pool.query<StoredStatus>(
    `select k.key, c.position is not null as built, coalesce(c.position, $3)::text as position,
       (select count(*)::int from read.projection_parked where projection = k.key) as parked,
       exists (
         select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and l.granted
           and l.classid = $4::int::oid and l.objid = hashtext(k.lock)::oid and l.objsubid = 2
       ) as rebuilding
     from unnest($1::text[], $2::text[]) as k(key, lock)
     left join read.checkpoints c on c.projection = k.key`,
    [keys, keys.map(rebuildLock), START, lockClass],
  );
  return rows;
}

/** The statuses as `ute projections status` and readiness show them, against the head of the log. */
export function toStatuses(
  projections: readonly Projection[],
  statuses: readonly StoredStatus[],
  head: Position,
): ProjectionStatus[] {
  return projections.map((projection) => {
    const { name, version } = projection;
    const stored = statuses.find(({ key }) => key === keyOf(projection));
    const { position = START, parked = 0 } = stored ?? {};
    return { name, version, position, head, state: stateOf(stored, head), parked };
  });
}

function stateOf(stored: StoredStatus | undefined, head: Position): ProjectionStatus['state'] {
  if (!stored?.built && head !== START) return 'building';
  if (stored?.rebuilding) return 'rebuilding';
  return comparePositions(stored?.position ?? START, head) >= 0 ? 'live' : 'behind';
}

/** How far everything that follows the log has come: these projections and reactors, and the processes of the API. */
export async function readReaderPositions(
  pool: Pool,
  followers: readonly Projection[],
): Promise<ReaderPosition[]> {
  const { rows } = await pool.query<ReaderPosition>(
    `select f.name, c.position::text as position
     from unnest($1::text[], $2::text[]) as f(name, key) join read.checkpoints c on c.projection = f.key
     union all
     select process, position from state.process_positions`,
    [followers.map(({ name }) => name), followers.map(keyOf)],
  );
  return rows;
}
