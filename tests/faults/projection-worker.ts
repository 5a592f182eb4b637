import { Pool } from 'pg';
import { forAllBusinesses } from '#api/process/database.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { outboxReactor } from '#projections/outbox/reactor.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { projections } from '#projections/runtime/registry.ts';
import { startProjections } from '#projections/worker.ts';
import { at } from '#tests/support/scenarios.ts';

/**
 * A process of its own that keeps the read models and the outbox of a database up until it is killed. With a third argument it kills
 * itself in the middle of a batch that reaches this position: rows written, nothing committed.
 */
const [connectionString = '', dataKey = '', fatal] = process.argv.slice(2);
const pool = new Pool({ connectionString: forAllBusinesses(connectionString) });
pool.on('error', () => {});
const store = createEmbeddedEventStore({ pool, connectionString, dataKey: Buffer.from(dataKey, 'base64') });

function mortal(projection: Projection): Projection {
  return {
    ...projection,
    async apply(db, table, events) {
      const changes = await projection.apply(db, table, events);
      if (fatal && events.some(({ position }) => BigInt(position) >= BigInt(fatal))) {
        process.kill(process.pid, 'SIGKILL');
      }
      return changes;
    },
  };
}

startProjections({
  ...{ store, pool, connectionString, retryLeadMs: 20 },
  projections: projections.map(mortal),
  reactors: [mortal(outboxReactor(() => new Date(at)))],
});
