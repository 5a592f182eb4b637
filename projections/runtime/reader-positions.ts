import type { Pool } from 'pg';
import type { ReaderPosition } from '#core/event-store/log-origin.ts';
import { keyOf } from './build.ts';
import type { Projection } from './projection.ts';

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
