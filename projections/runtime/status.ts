import type { Pool } from 'pg';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { lockClass } from './advisory-lock.ts';
import { keyOf } from './build.ts';
import { rebuildLock } from './lock-names.ts';
import type { Projection } from './projection.ts';
import type { ProjectionStatus } from './read-side.ts';

/** What the database knows now of the live tables of a key. */
export type Standing = Readonly<{
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
export async function readStandings(pool: Pool, keys: readonly string[]): Promise<Standing[]> {
  const { rows } = await pool.query<Standing>(
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

/** Standings as `ute projections status` and readiness show them, against the head of the log. */
export function toStatuses(
  projections: readonly Projection[],
  standings: readonly Standing[],
  head: Position,
): ProjectionStatus[] {
  return projections.map((projection) => {
    const { name, version } = projection;
    const standing = standings.find(({ key }) => key === keyOf(projection));
    const { position = START, parked = 0 } = standing ?? {};
    return { name, version, position, head, state: stateOf(standing, head), parked };
  });
}

function stateOf(standing: Standing | undefined, head: Position): ProjectionStatus['state'] {
  if (!standing?.built && head !== START) return 'building';
  if (standing?.rebuilding) return 'rebuilding';
  return comparePositions(standing?.position ?? START, head) >= 0 ? 'live' : 'behind';
}
