import type { PoolClient } from 'pg';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { hasReactions, type Reaction, reactionsTo } from './reactions.ts';

/**
 * Follows the log like a projection and puts what follows from it into the outbox, once per (event id, kind), however
 * often it sees an event. It is no read model: nothing rebuilds it, and it never says twice what it said.
 */
export function outboxReactor(now: () => Date): Projection {
  return {
    name: 'outbox',
    version: 1,
    tables: [],
    categories: ['job', 'demo'],
    concerns: ({ event }) => event !== undefined && hasReactions(event.type),
    async apply(db, _table, events) {
      const at = now();
      await queue(
        db,
        events.flatMap((event) => reactionsTo(event, at)),
        at,
      );
      return [];
    },
  };
}

async function queue(db: PoolClient, reactions: readonly Reaction[], now: Date): Promise<void> {
  if (reactions.length === 0) return;
  const rows = reactions.map(({ id, kind, businessId, jobId, data, wantedAt }) => {
    return { id, kind, business_id: businessId, job_id: jobId, data, wanted_at: wantedAt };
  });
  await db.query(
    plannedOnce(
      `insert into state.outbox (id, kind, business_id, job_id, data, queued_at, wanted_at, due_at)
       select id, kind, business_id, job_id, data, $2, wanted_at, wanted_at
       from json_to_recordset($1)
         as rows(id uuid, kind text, business_id text, job_id text, data jsonb, wanted_at timestamptz)
       on conflict (id) do nothing`,
      [JSON.stringify(rows), now],
    ),
  );
}
