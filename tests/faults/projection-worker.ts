import '#core/kernel/schema-settings.ts';
import { Client } from 'pg';
import { followerOf } from '#api/background/process.ts';
import { outbox } from '#api/rooms.ts';
import { forAllBusinesses } from '#api/runtime/database.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { projections } from '#projections/registry.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { startProjections } from '#projections/worker.ts';
import { at } from '#tests/support/scenarios/events.ts';

/**
 * A process of its own that keeps the read models and the outbox of a database up until it is killed. It kills itself in
 * the middle of a batch that reaches the position of its third argument, or before the statement of its followers that
 * its fourth argument counts, in the order in which all of them send theirs.
 */
const [connectionString = '', dataKey = '', position = '', statement = ''] = process.argv.slice(2);
const pool = new SessionPool({ connectionString: forAllBusinesses(connectionString) });
pool.on('error', () => {});
const store = createEmbeddedEventStore({ pool, connectionString, dataKey: Buffer.from(dataKey, 'base64') });

function mortal<P extends Projection>(projection: P): P {
  return {
    ...projection,
    async apply(db, table, events) {
      const changes = await projection.apply(db, table, events);
      if (position && events.some((event) => BigInt(event.position) >= BigInt(position))) die();
      return changes;
    },
  };
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Counts what is sent between a `begin` and the statement after its `commit`, and the writes of positions. */
function dieBeforeStatement(fatal: number): void {
  let sent = 0;
  const inBatch = new WeakSet<Client>();
  const send = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [query] = args as [string | { text?: string; name?: string }];
    const text = typeof query === 'string' ? query : (query.text ?? '');
    if (text === 'begin') inBatch.add(this);
    if (inBatch.has(this) || text.includes('skip locked')) {
      sent += 1;
      if (sent === fatal) die();
      if (text === 'commit') {
        const answer = send.apply(this, args) as Promise<unknown>;
        // It is on its way: what becomes of it is decided without this process.
        sent += 1;
        if (sent === fatal) setImmediate(die);
        inBatch.delete(this);
        return answer;
      }
    }
    return send.apply(this, args);
  } as never;
}

if (statement) dieBeforeStatement(Number(statement));
startProjections({
  ...{ store, pool, connectionString, retryLeadMs: 20 },
  projections: projections.map(mortal),
  processes: [mortal(followerOf(outbox, { now: () => new Date(at) }))],
});
