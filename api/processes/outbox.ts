import type { PoolClient } from 'pg';
import type { Clock } from '#api/deps.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { Process } from './process.ts';
import { followedTypes, type Reaction, reactionsTo } from './reactions.ts';

/**
 * Puts the messages that follow from events into the outbox, once per (event id, kind), however often it sees an event: a
 * message's row stays there for ever.
 */
export const outbox: Process<Pick<Clock, 'now'>> = {
  name: 'outbox',
  follows: followedTypes,
  begins: 'now',
  async step({ now }, events, db) {
    const at = now();
    await queue(
      db,
      events.flatMap((event) => reactionsTo(event, at)),
      at,
    );
  },
};

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
