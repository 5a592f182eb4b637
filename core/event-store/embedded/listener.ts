import { Client } from 'pg';
import { pause } from '../outage.ts';

/**
 * Calls `onHint` whenever another process appended, and after each (re)connection, as hints are lost while away.
 * Has a connection of its own and gets it back for ever, until `signal` aborts; resolves once that one is closed.
 */
export async function listen(
  connectionString: string,
  onHint: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = 100; !signal.aborted; wait = Math.min(wait * 2, 5_000)) {
    const client = new Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'ute event store hints',
    });
    const gone = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      signal.addEventListener('abort', () => resolve());
    });
    client.on('notification', onHint);
    try {
      await client.connect();
      await client.query('listen event_store');
      wait = 100;
      onHint();
      await gone;
    } catch {
      // Refused or cut: tried again below; meanwhile the poll carries on.
    }
    await Promise.race([client.end().catch(() => undefined), pause(1_000)]);
    await pause(wait * (0.5 + Math.random()), signal);
  }
}
