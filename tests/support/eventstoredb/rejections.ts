import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

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
