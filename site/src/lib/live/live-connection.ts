import { readEvents } from './event-stream.ts';

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
