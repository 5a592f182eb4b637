import { Client } from 'pg';
import { afterAll, expect, vi } from 'vitest';

/** Connections to Postgres that are open in this process; kept over files, since each loads this module anew. */
const open: Set<Client> = ((globalThis as { [key: symbol]: Set<Client> })[Symbol.for('open connections')] ??=
  watched(new Set()));

function watched(clients: Set<Client>): Set<Client> {
  const connect = Client.prototype.connect as (this: Client, ...args: unknown[]) => unknown;
  Client.prototype.connect = function (this: Client, ...args: unknown[]) {
    clients.add(this);
    this.once('end', () => clients.delete(this));
    return connect.apply(this, args);
  } as Client['connect'];
  return clients;
}

// The files that a worker runs share its process: what one leaves running asks the database while another counts statements.
afterAll(async () => {
  await vi.waitUntil(() => open.size === 0, { timeout: 5_000, interval: 20 }).catch(() => undefined);
  const left = [...open].map((client) => client.database);
  open.clear();
  expect(left, 'databases whose connections a file leaves open').toEqual([]);
});
