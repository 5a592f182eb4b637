import { Client, type Notification } from 'pg';
import { pause } from '../outage.ts';
import type { Position } from '../port.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 5_000;

/** Of the last event that was appended; null when it is not known. */
type OnHint = (position: Position | null) => void;

/**
 * Calls `onHint` whenever a process appended, and after each (re)connection, as hints are lost while there is none.
 * Has a connection of its own and gets it back for ever, until `signal` aborts; resolves once that one is closed.
 */
export async function listen(connectionString: string, onHint: OnHint, signal: AbortSignal): Promise<void> {
  let wait = SHORTEST_MS;
  const onConnect = () => {
    wait = SHORTEST_MS;
    onHint(null);
  };
  while (!signal.aborted) {
    await listenOnce(connectionString, { onConnect, onHint, signal });
    await pause(wait * (0.5 + Math.random()), signal);
    wait = Math.min(wait * 2, LONGEST_MS);
  }
}

/** Resolves when the connection is refused, lost, or no longer wanted. The poll carries on meanwhile. */
async function listenOnce(
  connectionString: string,
  { onConnect, onHint, signal }: { onConnect: () => void; onHint: OnHint; signal: AbortSignal },
): Promise<void> {
  const client = new Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    application_name: 'ute event store hints',
  });
  const lost = new AbortController();
  const lose = () => lost.abort();
  const onNotification = ({ payload = '' }: Notification) => onHint(/^\d+$/.test(payload) ? payload : null);
  client.on('error', lose).on('end', lose).on('notification', onNotification);
  signal.addEventListener('abort', lose);
  try {
    await client.connect();
    await client.query('listen event_store');
    onConnect();
    if (!signal.aborted) await aborted(lost.signal);
  } catch {
    lose();
  } finally {
    signal.removeEventListener('abort', lose);
    await end(client);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A server that is gone does not say goodbye: it is given a second. */
async function end(client: Client): Promise<void> {
  const ended = new AbortController();
  await Promise.race([client.end().catch(() => undefined), pause(1_000, ended.signal)]);
  ended.abort();
}
