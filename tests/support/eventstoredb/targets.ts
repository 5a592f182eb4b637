import { randomBytes } from 'node:crypto';
import { createEventStoreDbEventStore } from '#core/event-store/eventstoredb/event-store.ts';
import { testDatabase } from '#tests/support/database.ts';
import { tcpGate } from '#tests/support/tcp-gate.ts';
import { startStandIn } from './stand-in.ts';

/** Slow machines are no outage. */
const timeouts = { request: 10_000, page: 20_000 };

/** A server to hold the adapter against: its name, and how to open a store on it. */
export type Target = Readonly<{ name: string; open: typeof openStandIn }>;

/** The stand-in, always; the server at `EVENTSTORE_TEST_URL` besides, when there is one. */
export function targetsOf(environment: Readonly<Record<string, string | undefined>>): Target[] {
  const url = environment['EVENTSTORE_TEST_URL'];
  const standIn = { name: 'EventStoreDB (stand-in)', open: openStandIn };
  return url ? [standIn, { name: 'EventStoreDB (real server)', open: () => openServer(url) }] : [standIn];
}

async function openStandIn() {
  const [server, { pool, close }] = await Promise.all([startStandIn(), testDatabase()]);
  const url = `esdb://${server.host}:${server.port}?tls=false`;
  const store = createEventStoreDbEventStore({ url, pool, dataKey: randomBytes(32), timeouts });
  return {
    store,
    async cutConnections() {
      server.kill();
      await server.restart();
    },
    async close() {
      await store.close();
      server.kill();
      await close();
    },
  };
}

/**
 * Reached through a gate, so that connections can be cut. Only for one host: a cluster's members are reached by the
 * addresses that they tell. The contract wants an empty log: give it a server of its own.
 */
async function openServer(url: string): Promise<Awaited<ReturnType<typeof openStandIn>>> {
  const { hostname, port } = new URL(url.replace(/^esdb:/, 'http:'));
  const [gate, { pool, close }] = await Promise.all([
    tcpGate(`http://${hostname}:${port || '2113'}`),
    testDatabase(),
  ]);
  const gated = url.replace(/(^esdb:\/\/(?:[^@/]*@)?)[^/?]+/, `$1localhost:${new URL(gate.url).port}`);
  const store = createEventStoreDbEventStore({ url: gated, pool, dataKey: randomBytes(32), timeouts });
  return {
    store,
    async cutConnections() {
      gate.shut();
      gate.open();
    },
    async close() {
      await store.close();
      await gate.close();
      await close();
    },
  };
}
