import { tabsChannel } from '#site/lib/browser-storage.ts';
import { withLock } from '#site/lib/secure/locks.ts';
import { $session, endSession } from '#site/lib/session/session-store.ts';

/** Something changed on the server: its kind and id, never its content. */
export type Change = Readonly<{ kind: string; id: string; position: string }>;

export type ConnectionOptions = Readonly<{
  /** Opens the stream; resolves to null when there is nothing more to wait for, as after a sign-out. */
  open(signal: AbortSignal): Promise<Response | null>;
  /** The connection is up again, or the server reports that something was missed: all has to be loaded anew. */
  onGap(): void;
  onChange(change: Change): void;
  signal: AbortSignal;
  /** Resolves after the milliseconds, sooner when the network returns or the signal aborts. */
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>;
}>;

const firstPause = 1_000;
const longestPause = 30_000;
/** Three missed comments of 15 s: the connection is dead, even where the browser has it as open. */
const longestSilence = 45_000;

/** Holds one connection to the server open until the signal aborts: back-off from 1 s doubling to 30 s, with jitter. */
export async function stayConnected({
  open,
  onGap,
  onChange,
  signal,
  wait = rest,
}: ConnectionOptions): Promise<void> {
  let failures = 0;
  let wasOpen = false;
  while (!signal.aborted) {
    let problem: unknown = null;
    const connection = new AbortController();
    const hangUp = () => connection.abort();
    signal.addEventListener('abort', hangUp);
    let timer = setTimeout(hangUp, longestSilence);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(hangUp, longestSilence);
    };
    try {
      const answer = await open(connection.signal);
      if (!answer) return;
      if (answer.ok && answer.body) {
        if (wasOpen) onGap();
        wasOpen = true;
        for await (const event of readEvents(answer.body, alive)) {
          failures = 0;
          if (event.event === 'resync') onGap();
          if (event.event === 'change') onChange(JSON.parse(event.data) as Change);
        }
      }
    } catch (error) {
      problem = error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', hangUp);
      hangUp();
    }
    if (signal.aborted) return;
    const pause = Math.min(firstPause * 2 ** failures, longestPause);
    failures += 1;
    await wait(pause * (0.75 + Math.random() / 2), signal);
    // Firefox breaks the connections of a page before it leaves it: one that is still there afterwards has lost its own.
    if (problem !== null && !signal.aborted) console.warn('The live connection broke', problem);
  }
}

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** One event of a text/event-stream. `data` is the text of its data lines. */
export type ServerEvent = Readonly<{ event: string; data: string; id: string }>;

/**
 * Reads a text/event-stream piece by piece. `onBytes` runs for everything that arrives, comments included: the sign
 * that the connection is alive.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
): AsyncGenerator<ServerEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of chunks(body)) {
    onBytes();
    const blocks = (rest + decoder.decode(bytes, { stream: true })).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

/** Safari reads a stream only through its reader. */
async function* chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): ServerEvent | null {
  const fields = { event: 'message', data: [] as string[], id: '' };
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'data') fields.data.push(value);
    else if (name === 'event') fields.event = value;
    else if (name === 'id') fields.id = value;
  }
  return fields.data.length > 0 ? { ...fields, data: fields.data.join('\n') } : null;
}

/** `resync` stands for "the connection was down, or came late: anything may have changed". */
export type LiveMessage = Readonly<{ type: 'change'; change: Change } | { type: 'resync' }>;

const listeners = new Set<(message: LiveMessage) => void>();

/**
 * Calls the listener with what changes on the server, for as long as the page is open and over one connection per browser and session:
 * the tab that holds the lock has the connection and passes everything on to the others. Where the browser has no locks (plain http),
 * each tab has its own.
 */
export function followLive(listener: (message: LiveMessage) => void): void {
  listeners.add(listener);
  if (listeners.size > 1) return;
  const tell = (message: LiveMessage) => {
    for (const listen of listeners) listen(message);
  };
  const { signal } = new AbortController();
  const channelName = `ute.live.${$session.get()?.token.slice(-16)}`;
  const channel = tabsChannel(channelName);
  channel?.addEventListener('message', (event: MessageEvent<LiveMessage>) => tell(event.data));
  const publish = (message: LiveMessage) => {
    tell(message);
    channel?.postMessage(message);
  };
  const connect = () =>
    stayConnected({
      open: openConnection,
      onGap: () => publish({ type: 'resync' }),
      onChange: (change) => publish({ type: 'change', change }),
      signal,
    });
  void withLock(channelName, { signal }, connect);
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
