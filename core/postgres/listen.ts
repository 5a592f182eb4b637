import type { Client } from 'pg';
import { pause } from '#core/kernel/pause.ts';
import { endSession, newSession } from './session.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

type Listening = Readonly<{
  connectionString: string;
  channel: string;
  /** Runs on each new connection, once it listens. */
  prepare?: (client: Client) => Promise<unknown>;
  onPayload(payload: string): void;
  /** After each (re)connection, prepared: whatever was notified before has been missed. */
  onListening(): void;
}>;

/** How the sessions of processes that hear a channel are named, by which they can be counted in `pg_stat_activity`. */
export const listenerOf = (channel: string): string => `ute listen ${channel}`;

/**
 * Listens to a NOTIFY channel on a connection of its own, and connects again for ever, after 0.1 s, doubling up to 2 s.
 * Answers the way to stop, which resolves once the connection is closed.
 */
export function listen(options: Listening): () => Promise<void> {
  const stopped = new AbortController();
  const running = keepListening(options, stopped.signal);
  return async () => {
    stopped.abort();
    await running;
  };
}

async function keepListening(options: Listening, signal: AbortSignal): Promise<void> {
  let wait = SHORTEST_MS;
  while (!signal.aborted) {
    const hasListened = await listenOnce(options, signal);
    wait = hasListened ? SHORTEST_MS : Math.min(wait * 2, LONGEST_MS);
    // Not at once and not all together: after a restart of the server every process comes back.
    await pause(wait * (0.5 + Math.random()), signal);
  }
}

/** Resolves when the connection is refused, lost, or no longer wanted; with true when it has listened. */
async function listenOnce(
  { connectionString, channel, prepare, onPayload, onListening }: Listening,
  signal: AbortSignal,
): Promise<boolean> {
  const client = newSession(connectionString, `listen ${channel}`);
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  client.on('error', () => leave()).on('end', () => leave());
  const stop = () => leave();
  signal.addEventListener('abort', stop);
  let hasListened = false;
  client.on('notification', ({ payload = '' }) => onPayload(payload));
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    await prepare?.(client);
    hasListened = true;
    onListening();
    await gone;
  } catch {
    // The next connection is tried after the pause.
  } finally {
    signal.removeEventListener('abort', stop);
    await endSession(client);
  }
  return hasListened;
}
