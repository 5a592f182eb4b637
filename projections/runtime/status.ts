import type { Pool } from 'pg';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { lockClass } from './advisory-lock.ts';
import type { Projection } from './projection.ts';
import type { ProjectionStatus } from './read-side.ts';
import { rebuildLock } from './rebuild.ts';

/** What the database knows of a projection now. */
export type Standing = Readonly<{
  name: string;
  version: number;
  position: Position;
  parked: number;
  rebuilding: boolean;
}>;

/**
 * Reads how far the projections are. One is rebuilding while a process holds its rebuild lock, so a rebuild that was
 * killed is not taken for one that runs.
 */
export async function readStandings(pool: Pool, projections: readonly string[]): Promise<Standing[]> {
  const { rows } = await pool.query<Standing>(
    `select p.name, coalesce(c.version, 0) as version, coalesce(c.position, $3)::text as position,
       (select count(*)::int from read.projection_parked where projection = p.name) as parked,
       exists (
         select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and l.granted
           and l.classid = $4::int::oid and l.objid = hashtext(p.lock)::oid and l.objsubid = 2
       ) as rebuilding
     from unnest($1::text[], $2::text[]) as p(name, lock)
     left join read.checkpoints c on c.projection = p.name`,
    [projections, projections.map(rebuildLock), START, lockClass],
  );
  return rows;
}

/** Standings as `ute projections status` and readiness show them, against the head of the log. */
export function toStatuses(
  projections: readonly Projection[],
  standings: readonly Standing[],
  head: Position,
): ProjectionStatus[] {
  return projections.map(({ name, version }) => {
    const standing = standings.find((one) => one.name === name);
    const position = standing?.position ?? START;
    // Without a checkpoint there are no tables of an older version either.
    const tables = standing?.version || version;
    const isCurrent = tables === version && comparePositions(position, head) >= 0;
    return {
      name,
      version: tables,
      position,
      head,
      state: standing?.rebuilding ? 'rebuilding' : isCurrent ? 'live' : 'behind',
      parked: standing?.parked ?? 0,
    };
  });
}
