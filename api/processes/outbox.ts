import type { Clock } from '#api/deps.ts';
import { ifMoved, type LastWrite, writeApart } from '#projections/runtime/projection.ts';
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
  endsBatches: true,
  async step({ now }, events, db, end) {
    const at = now();
    const reactions = events.flatMap((event) => reactionsTo(event, at));
    if (reactions.length === 0) return;
    const write = queued(reactions, at);
    await (end ? end(write, []) : writeApart(db, write));
  },
};

function queued(reactions: readonly Reaction[], now: Date): LastWrite {
  const rows = reactions.map(({ id, kind, businessId, jobId, data, wantedAt }) => {
    return { id, kind, business_id: businessId, job_id: jobId, data, wanted_at: wantedAt };
  });
  return {
    name: 'queue messages',
    queries: [
      `queued as (
        insert into state.outbox (id, kind, business_id, job_id, data, queued_at, wanted_at, due_at)
        select id, kind, business_id, job_id, data, $2, wanted_at, wanted_at
        from json_to_recordset($1)
          as rows(id uuid, kind text, business_id text, job_id text, data jsonb, wanted_at timestamptz)
        where ${ifMoved}
        on conflict (id) do nothing)`,
    ],
    values: [JSON.stringify(rows), now],
  };
}
