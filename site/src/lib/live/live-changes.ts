import { $session, endSession } from '#site/lib/session/session-store.ts';
import { type Change, stayConnected } from './live-connection.ts';

/** `resync` stands for "the connection was down, or came late: anything may have changed". */
export type LiveMessage = Readonly<{ type: 'change'; change: Change } | { type: 'resync' }>;

/**
 * Calls the listener with what changes on the server, over one connection per browser and session: the tab that holds the lock has the
 * connection and passes everything on to the others. Where the browser has no locks (plain http), each tab has its own.
 * @returns how to stop listening.
 */
export function followLive(listener: (message: LiveMessage) => void): () => void {
  const end = new AbortController();
  const channelName = `ute.live.${$session.get()?.token.slice(-16)}`;
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', (event: MessageEvent<LiveMessage>) => listener(event.data));
  const publish = (message: LiveMessage) => {
    listener(message);
    channel.postMessage(message);
  };
  const connect = () =>
    stayConnected({
      open: openConnection,
      onGap: () => publish({ type: 'resync' }),
      onChange: (change) => publish({ type: 'change', change }),
      signal: end.signal,
    });
  if (navigator.locks) {
    navigator.locks.request(channelName, { signal: end.signal }, connect).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
  } else void connect();
  return () => {
    end.abort();
    channel.close();
  };
}

async function openConnection(signal: AbortSignal): Promise<Response | null> {
  const token = $session.get()?.token;
  if (!token) return null;
  // The server answers whether anything changed since this page began to ask.
  const answer = await fetch(`/api/live?age=${Math.ceil(performance.now())}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    cache: 'no-store',
    signal,
  });
  if (answer.status !== 403) return answer;
  endSession('session-timed-out');
  return null;
}
