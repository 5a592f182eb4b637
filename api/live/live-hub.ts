import { aliveAmong } from '#api/accounts/sessions.ts';
import type { Clock, Database, Deps, EventLog, ProcessState } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';

/** In milliseconds. Bun cuts answers that are silent for longer than its idle timeout. */
const BEAT = 15_000;
/** How long a revoked or expired session may go on listening, in milliseconds. */
const SWEEP = 2_000;
/** Streams per session: a browser shares one among its tabs, so more means that old ones were lost. */
const MOST = 4;

type Listener = Readonly<{ session: Session; stream: LiveStream }>;

export type LiveHub = Readonly<{
  /** A stream of the changes of the session's own business, for as long as the session lives. */
  open(session: Session): LiveStream;
  /** How many streams are open. */
  size(): number;
}>;

/** Every open stream of this process. Its timers run only while there are some. */
export function createLiveHub(
  deps: Clock &
    Pick<Database, 'db'> &
    Pick<EventLog, 'readSide'> &
    Pick<ProcessState, 'stopping'> &
    Pick<Deps, 'logger'>,
): LiveHub {
  const listeners = new Set<Listener>();
  let stop: (() => void) | undefined;

  function start(): () => void {
    const unsubscribe = deps.readSide.onChange(({ businessId, kind, id, position }) => {
      for (const { session, stream } of listeners) {
        if (session.businessId === businessId)
          stream.send(message('change', position, { kind, id, position }));
      }
    });
    // Changes were missed, or tables replaced: every listener has to ask anew.
    const stopGaps = deps.readSide.onGap(() => {
      for (const { stream } of listeners) stream.send(resync());
    });
    const beat = setInterval(() => {
      for (const { stream } of listeners) stream.send(comment('beat'));
    }, BEAT);
    const sweep = setInterval(() => {
      endDead().catch(() => deps.logger.warn({ event: 'live-sweep-failed' }));
    }, SWEEP);
    return () => {
      unsubscribe();
      stopGaps();
      clearInterval(beat);
      clearInterval(sweep);
    };
  }

  async function endDead(): Promise<void> {
    const ids = [...new Set([...listeners].map(({ session }) => session.id))];
    const alive = await aliveAmong(deps.db, ids, deps.now());
    for (const { session, stream } of listeners) if (!alive.has(session.id)) stream.end();
  }

  deps.stopping?.addEventListener('abort', () => {
    for (const { stream } of listeners) stream.end();
  });

  return {
    open(session) {
      const stream = createLiveStream(() => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      });
      const listener = { session, stream };
      const [oldest, ...others] = [...listeners].filter((other) => other.session.id === session.id);
      if (others.length + 1 >= MOST) oldest?.stream.end();
      listeners.add(listener);
      stop ??= start();
      stream.send(comment('open'));
      return stream;
    },
    size: () => listeners.size,
  };
}

const encoder = new TextEncoder();

/** Messages that may wait for a slow reader before its stream is ended. */
const BACKLOG = 200;

type LiveStream = Readonly<{
  /** What the browser reads. */
  body: ReadableStream<Uint8Array>;
  /** Sends one message; ends the stream when its reader has fallen too far behind: it comes back and refetches. */
  send(message: string): void;
  end(): void;
}>;

/** A server-sent stream that calls `onEnd` once, whichever side ends it. */
export function createLiveStream(onEnd: () => void): LiveStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const finish = () => {
    if (!controller) return false;
    controller = undefined;
    onEnd();
    return true;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (opened) => {
        controller = opened;
      },
      cancel: () => {
        finish();
      },
    },
    { highWaterMark: BACKLOG },
  );
  const end = () => {
    const open = controller;
    if (finish()) open?.close();
  };
  return {
    body,
    send(message) {
      if (!controller) return;
      if ((controller.desiredSize ?? 0) <= 0) end();
      else controller.enqueue(encoder.encode(message));
    },
    end,
  };
}

/** One server-sent message: a comment keeps the line open, `event` and `data` say something. */
export function comment(text: string): string {
  return `: ${text}\n\n`;
}

/** Tells that changes may have been missed. */
export function resync(): string {
  return 'event: resync\ndata: {}\n\n';
}

export function message(event: string, id: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
