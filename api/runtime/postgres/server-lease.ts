import { realpathSync } from 'node:fs';
import type { Client } from 'pg';
import { lockNumbers } from '#core/postgres/locks.ts';
import { newSession } from '#core/postgres/session.ts';

/** Held, shared, by every process that uses the server; who can take it alone is the last one. */
const inUse = lockNumbers.managedServer;
const database = 'ute';

/** `code` of the error when the server that answers serves other data. */
export const wrongCluster = 'WRONG_CLUSTER';

/** One process's lease on a running server. The kernel drops it with the connection if the process is killed. */
export type ServerLease = Readonly<{
  /** The database `ute`, by the server's administrator. */
  adminUrl: string;
  /** Ends the lease; true when no other process has one, so that the server may stop. */
  release(): Promise<boolean>;
}>;

/** Where a server listens: the folder of its Unix socket, or '', and its port on the loopback address. */
type Listening = Readonly<{ socketFolder: string; port: number }>;

/** `postgres://…` of a database by the administrator. Through the socket a statement costs half the processor time (decision 111). */
function addressOf({ socketFolder, port }: Listening, password: string, database: string): string {
  const address = new URL(`postgres://ute:${password}@127.0.0.1:${port}/${database}`);
  if (socketFolder !== '') address.searchParams.set('host', socketFolder);
  return address.href;
}

/**
 * Connects to the server that listens there, makes sure that it serves our cluster and no other, and leases it.
 * @throws when it cannot be reached, refuses the password, or serves another data directory
 */
export async function leaseServer(
  cluster: string,
  listening: Listening,
  password: string,
): Promise<ServerLease> {
  const maintenance = addressOf(listening, password, 'postgres');
  const client = newSession(maintenance, 'server lease');
  try {
    await client.connect();
    await refuseOtherCluster(client, cluster);
    await client.query('select pg_advisory_lock_shared($1)', [inUse]);
    await ensureDatabase(client);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return {
    adminUrl: addressOf(listening, password, database),
    release: () => release(client, maintenance),
  };
}

async function refuseOtherCluster(client: Client, cluster: string): Promise<void> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const served = rows[0]?.data_directory ?? '';
  if (served !== realpathSync(cluster))
    throw Object.assign(new Error('another cluster answers on its port.'), { code: wrongCluster });
}

async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount === 0)
    await client.query(`create database ${database}`).catch((error) => {
      if (!['42P04', '23505'].includes(error.code)) throw error;
    });
}

async function release(client: Client, address: string): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [inUse]);
    return await isAlone(client);
  } catch {
    return await reconnect(address);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Our connection broke, and the lease with it; the server itself may still be there for others. */
async function reconnect(address: string): Promise<boolean> {
  const client = newSession(address, 'server lease');
  try {
    await client.connect();
    return await isAlone(client);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function isAlone(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [
    inUse,
  ]);
  return rows[0]?.alone === true;
}
