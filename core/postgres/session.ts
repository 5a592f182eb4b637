import { Client } from 'pg';

/** How long the database may take to accept a session outside a pool, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/**
 * A session of its own for what a pool cannot give: locks, LISTEN, work before there is a pool. Not connected yet. A loss
 * between two statements rejects the next one and ends no process.
 * @param name shown in `pg_stat_activity`, after `ute`
 */
export function newSession(connectionString: string, name: string): Client {
  const client = new Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: `ute ${name}`,
  });
  client.on('error', () => {});
  return client;
}

/** Ends a session. A server that is gone does not answer: it is given a second. */
export async function endSession(client: Client): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 1_000);
  });
  await Promise.race([client.end().catch(() => {}), late]);
  clearTimeout(timer);
}
