import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

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
