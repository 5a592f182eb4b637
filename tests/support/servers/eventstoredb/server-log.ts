import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

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

export type CallKind = 'append' | 'batch' | 'read' | 'subscribe' | 'gossip';

export type Fault =
  /** No answer, ever. With `applied` the append happened all the same. */
  | Readonly<{ kind: 'silence'; applied?: boolean }>
  | Readonly<{ kind: 'reject'; error: Partial<StatusObject>; applied?: boolean }>
  | Readonly<{ kind: 'slow'; ms: number }>
  /** The answer ends, without an error, after this many events. */
  | Readonly<{ kind: 'end'; after: number }>;

/** What goes wrong on a server, set by the test. */
export type Faults = Readonly<{
  once(call: CallKind, fault: Fault): void;
  always(call: CallKind, fault: Fault): void;
  calm(): void;
  /** What is wrong with this call. A read that does not want the leader is served by any member. */
  take(call: CallKind, wantsLeader?: boolean): Fault | undefined;
  /** How many calls have come in. */
  count(call: CallKind): number;
}>;

export function createFaults(role: (call: 'append' | 'read') => Fault | undefined = () => undefined): Faults {
  const next: { call: CallKind; fault: Fault }[] = [];
  const lasting = new Map<CallKind, Fault>();
  const counts = new Map<CallKind, number>();
  return {
    once: (call, fault) => void next.push({ call, fault }),
    always: (call, fault) => void lasting.set(call, fault),
    calm() {
      next.length = 0;
      lasting.clear();
    },
    take(call, wantsLeader = call === 'append') {
      counts.set(call, (counts.get(call) ?? 0) + 1);
      const index = next.findIndex((entry) => entry.call === call);
      const ordered = index < 0 ? lasting.get(call) : next.splice(index, 1)[0]?.fault;
      const isLeading = wantsLeader && (call === 'append' || call === 'read');
      return ordered ?? (isLeading ? role(call) : undefined);
    },
    count: (call) => counts.get(call) ?? 0,
  };
}

type Rejection = Partial<StatusObject>;

/** As the server's interceptor words them: a status, and an `exception` that the client makes a class of. */
export const rejections = {
  notLeader: (host: string, port: number): Rejection =>
    rejection(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
  accessDenied: rejection(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  unauthenticated: rejection(status.UNAUTHENTICATED, 'Unauthenticated'),
  deadline: rejection(status.DEADLINE_EXCEEDED, 'Deadline Exceeded'),
  timeout: rejection(status.ABORTED, 'Operation timed out'),
  unavailable: rejection(status.UNAVAILABLE, 'Server Is Not Ready'),
  busy: rejection(status.RESOURCE_EXHAUSTED, 'Server Is Too Busy'),
  cancelled: rejection(status.CANCELLED, 'Cancelled by the server'),
  unknown: rejection(status.UNKNOWN, 'Exception was thrown by handler.'),
  internal: rejection(status.INTERNAL, 'Received RST_STREAM'),
  tooLarge: rejection(status.INVALID_ARGUMENT, 'Maximum Append Size of 1048576 Exceeded.', {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': '1048576',
  }),
  deleted: (stream: string): Rejection =>
    rejection(status.FAILED_PRECONDITION, 'Event stream is deleted.', {
      exception: 'stream-deleted',
      'stream-name': stream,
    }),
} as const;

function rejection(code: status, details: string, entries: Record<string, string> = {}): Rejection {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return { code, details, metadata };
}
