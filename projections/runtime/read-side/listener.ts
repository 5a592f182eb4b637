import { Client } from 'pg';
import { backOff, pause } from '#projections/runtime/pause.ts';

/**
 * Hears a NOTIFY channel on a connection of its own, and reconnects for ever with back-off.
 * `prepare` runs on each new connection; `onListening` is called after it: whatever was notified before has been missed.
 * Answers the way to stop.
 */
export function listen(options: {
  connectionString: string;
  channel: string;
  prepare?: (client: Client) => Promise<unknown>;
  onPayload: (payload: string) => void;
  onListening: () => void;
}): () => Promise<void> {
  const stopped = new AbortController();
  const running = keepListening(options, stopped.signal);
  return async () => {
    stopped.abort();
    await running;
  };
}

async function keepListening(options: Parameters<typeof listen>[0], signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const client = new Client({
      connectionString: options.connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: `ute listen ${options.channel}`,
    });
    const gone = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      client.on('notification', ({ payload }) => options.onPayload(payload ?? ''));
      await client.connect();
      await client.query(`listen ${options.channel}`);
      await options.prepare?.(client);
      failures = 0;
      options.onListening();
      await gone;
    } catch {
      failures++;
    } finally {
      await client.end().catch(() => {});
    }
    if (failures > 0) await pause(backOff(failures), signal);
  }
}
