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

/** The log did not answer in time, or not at all: the outcome of an append is then unknown; retry with the same ids. */
export class EventStoreUnavailableError extends Error {
  override readonly name = 'EventStoreUnavailableError';
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
