import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEventStoreDbEventStore } from '#core/event-store/eventstoredb/event-store.ts';
import { testDatabase } from '#tests/support/app/database.ts';
import { startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';
import { tcpGate } from '#tests/support/servers/outages.ts';
import { eventStoreContract } from './contract.ts';

/** Slow machines are no outage. */
const timeouts = { request: 10_000, page: 20_000 };

/** A server to hold the adapter against: its name, and how to open a store on it. */
type Target = Readonly<{ name: string; open: typeof openStandIn }>;

/** The stand-in, always; the server at `EVENTSTORE_TEST_URL` besides, when there is one. */
function targetsOf(environment: Readonly<Record<string, string | undefined>>): Target[] {
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

const realUrl = process.env['EVENTSTORE_TEST_URL'];
const targets = targetsOf(process.env);
for (const { name, open } of targets) eventStoreContract(name, open);

test(`the contract ran on ${targets.map(({ name }) => name).join(' and ')}${
  realUrl ? '' : '; on a real server it runs where EVENTSTORE_TEST_URL names one'
}`, () => {
  expect(targets).toHaveLength(realUrl ? 2 : 1);
});

test('a real server joins the targets when its address is given', () => {
  const names = (environment: Record<string, string>) => targetsOf(environment).map(({ name }) => name);
  expect(names({})).toEqual(['EventStoreDB (stand-in)']);
  expect(names({ EVENTSTORE_TEST_URL: 'esdb://localhost:2113?tls=false' })).toEqual([
    'EventStoreDB (stand-in)',
    'EventStoreDB (real server)',
  ]);
});
