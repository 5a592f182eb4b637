import type { ExpectedRevision, Position } from './port.ts';

/** The stream moved since it was read. `actual` is `'no-stream'` or the last revision. */
export class WrongExpectedRevisionError extends Error {
  override readonly name = 'WrongExpectedRevisionError';
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`stream moved: expected ${expected}, is ${actual}`);
  }
}

/** Why a server of the log was not reached, or did not do what it was asked. */
export type Unreached =
  | 'connection-refused'
  | 'name-not-found'
  | 'no-route'
  | 'certificate-not-trusted'
  | 'certificate-of-another-host'
  | 'certificate-expired'
  | 'no-tls'
  | 'connection-lost'
  | 'no-answer'
  | 'no-leader'
  | 'credentials-refused';

/** The log did not answer in time, or not at all: the outcome of an append is then unknown; retry with the same ids. */
export class EventStoreUnavailableError extends Error {
  override readonly name = 'EventStoreUnavailableError';
  /** Known where a server of its own was asked; the message then names that server and no secret. */
  readonly code: Unreached | undefined;
  constructor(message: string, { code, ...options }: ErrorOptions & { code?: Unreached | undefined } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The server, and why it is not reached: for a log. Undefined for every other error, whose text may hold an address with its password. */
export function unreachedReason(error: unknown): string | undefined {
  return error instanceof EventStoreUnavailableError && error.code ? error.message : undefined;
}

/** The server took the call, or seemed to, and said nothing. */
export class SilentServerError extends EventStoreUnavailableError {}

/** The event must never reach the log: it breaks its schema, is not well-formed text, or is too large. */
export class UnstorableEventError extends Error {
  override readonly name = 'UnstorableEventError';
}

/** A stream that must be decided on holds an event that cannot be read. Says where and why, never what. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError';
  constructor(
    readonly stream: string,
    readonly revision: number,
    readonly reason: string,
  ) {
    super(`event ${revision} of its stream cannot be read: ${reason}`);
  }
}

/** Why a stored event cannot be read. The message never tells what stands in it. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** An event in the log that has no hash: another program wrote it. */
export class ForeignEventError extends Error {
  override readonly name = 'ForeignEventError';
  constructor(readonly position: Position) {
    super(`the event at position ${position} was not written by this product: it has no hash`);
  }
}
