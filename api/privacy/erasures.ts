import type { Pool, PoolClient } from 'pg';
import type { ErasureStatus } from '#core/erasure/decider.ts';
import type { ErasureBasis, ErasureEvent, ErasureScope } from '#core/erasure/events.ts';

/** An erasure as it is listed: ids and moments, no name. */
export type ListedErasure = Readonly<{
  erasureId: string;
  scope: ErasureScope;
  basis: ErasureBasis;
  businessId: string | null;
  ids: readonly string[];
  status: ErasureStatus;
  requestedAt: Date;
  dueAt: Date;
  begunAt: Date | null;
  completedAt: Date | null;
  counts: Readonly<Record<string, number>> | null;
}>;

/**
 * Writes down what an event says of an erasure, so that what is due is found. Bears a repeat and an event that comes late: no
 * status goes back. Runs in the process that follows the log, and at once where a command appended the event.
 */
export async function recordErasure(db: Pool | PoolClient, event: ErasureEvent): Promise<void> {
  switch (event.type) {
    case 'ErasureRequested': {
      const { erasureId, scope, basis, businessId, ids, requestedAt, dueAt } = event.data;
      await db.query(
        `insert into state.erasures (erasure_id, scope, basis, business_id, ids, status, requested_at, due_at)
         values ($1, $2, $3, $4, $5, 'requested', $6, $7) on conflict (erasure_id) do nothing`,
        [erasureId, scope, basis, businessId, ids, requestedAt, dueAt],
      );
      return;
    }
    case 'ErasureCancelled':
    case 'ErasureRefused':
      await db.query(`update state.erasures set status = $2 where erasure_id = $1 and status = 'requested'`, [
        event.data.erasureId,
        event.type === 'ErasureCancelled' ? 'cancelled' : 'refused',
      ]);
      return;
    case 'ErasureBegun':
      await db.query(
        `update state.erasures set status = 'begun', begun_at = $2 where erasure_id = $1 and status = 'requested'`,
        [event.data.erasureId, event.data.begunAt],
      );
      return;
    case 'ErasureCompleted':
      await db.query(
        `update state.erasures set status = 'completed', begun_at = coalesce(begun_at, $2), completed_at = $2, counts = $3
         where erasure_id = $1 and status in ('requested', 'begun')`,
        [event.data.erasureId, event.data.completedAt, event.data.counts],
      );
      return;
    default:
      return event satisfies never;
  }
}

const COLUMNS = `erasure_id as "erasureId", scope, basis, business_id as "businessId", ids, status,
  requested_at as "requestedAt", due_at as "dueAt", begun_at as "begunAt", completed_at as "completedAt", counts`;

/** All erasures, newest first. */
export async function listErasures(db: Pool): Promise<ListedErasure[]> {
  const { rows } = await db.query<ListedErasure>(
    `select ${COLUMNS} from state.erasures order by requested_at desc, erasure_id`,
  );
  return rows;
}

/** Those of a business with its account that can be taken back. */
export async function openErasuresOf(
  db: Pool,
  businessId: string,
): Promise<Pick<ListedErasure, 'erasureId' | 'basis'>[]> {
  const { rows } = await db.query<Pick<ListedErasure, 'erasureId' | 'basis'>>(
    `select erasure_id as "erasureId", basis from state.erasures
     where business_id = $1 and scope in ('account', 'business') and status = 'requested'`,
    [businessId],
  );
  return rows;
}

export type DueErasure = Pick<ListedErasure, 'erasureId' | 'scope' | 'businessId' | 'ids' | 'status'>;

/** Those that are to be carried out now, and those that were begun and not completed, but `except`; at most `limit`. */
export async function dueErasures(
  db: Pool,
  now: Date,
  limit: number,
  except: readonly string[] = [],
): Promise<DueErasure[]> {
  const { rows } = await db.query<DueErasure>(
    `select erasure_id as "erasureId", scope, business_id as "businessId", ids, status from state.erasures
     where (status = 'begun' or (status = 'requested' and due_at <= $1)) and erasure_id <> all($3)
     order by due_at, erasure_id limit $2`,
    [now, limit, except],
  );
  return rows;
}
