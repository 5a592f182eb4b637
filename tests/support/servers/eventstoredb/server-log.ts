/** An event as a server keeps it. */
export type LogEvent = Readonly<{
  stream: string;
  revision: number;
  position: bigint;
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
  created: Date;
}>;

export type Proposed = Pick<LogEvent, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;
export type Expected = 'any' | 'exists' | 'no-stream' | number;
export type Appended =
  | Readonly<{ revision: number; position: bigint }>
  | Readonly<{ conflict: number | null }>;

export type ServerLog = Readonly<{
  all: readonly LogEvent[];
  stream(name: string): readonly LogEvent[];
  append(stream: string, expected: Expected, events: readonly Proposed[]): Appended;
  /** Calls back after each append; answers the way to stop. */
  onAppend(listener: () => void): () => void;
}>;

/** How often the server writes for itself: after this many of other people's events. */
const OWN_EVERY = 9;

/**
 * What a server keeps, also while it is down. As a real one: positions are places in a file, so they have gaps; the
 * server's own `$` events stand in between; an append is a repeat when the same ids follow the expected revision, and
 * ids are not looked at when it goes to the end of its stream.
 */
export function createServerLog(): ServerLog {
  const all: LogEvent[] = [];
  const streams = new Map<string, LogEvent[]>();
  const listeners = new Set<() => void>();
  let end = 90n;

  function write(stream: string, proposed: Proposed): void {
    const events = streams.get(stream) ?? [];
    const event = { ...proposed, stream, revision: events.length, position: end, created: new Date() };
    events.push(event);
    streams.set(stream, events);
    all.push(event);
    end += BigInt(64 + event.data.length + event.metadata.length);
    if (!stream.startsWith('$') && all.length % OWN_EVERY === 0) write('$stats-127.0.0.1:2113', ownEvent());
  }
  write('$users', ownEvent());

  return {
    all,
    stream: (name) => streams.get(name) ?? [],
    append(stream, expected, proposed) {
      const events = streams.get(stream) ?? [];
      const current = events.length - 1;
      const after = expected === 'no-stream' ? -1 : typeof expected === 'number' ? expected : current;
      if (expected === 'exists' && current < 0) return { conflict: null };
      if (after > current) return conflict(current);
      if (after < current) {
        const stands = proposed.every(({ id }, index) => events[after + 1 + index]?.id === id);
        const last = events[after + proposed.length];
        return stands && last ? { revision: last.revision, position: last.position } : conflict(current);
      }
      for (const event of proposed) write(stream, event);
      const last = streams.get(stream)?.at(-1);
      for (const listener of [...listeners]) listener();
      return last ? { revision: last.revision, position: last.position } : conflict(current);
    },
    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function conflict(current: number): Appended {
  return { conflict: current < 0 ? null : current };
}

function ownEvent(): Proposed {
  const json = Buffer.from('{"own":true}');
  const id = crypto.randomUUID();
  return {
    id,
    type: '$statsCollected',
    contentType: 'application/json',
    data: json,
    metadata: Buffer.alloc(0),
  };
}
