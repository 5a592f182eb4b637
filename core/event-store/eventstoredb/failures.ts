import {
  AccessDeniedError,
  DeadlineExceededError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  UnsupportedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import {
  EventStoreUnavailableError,
  SilentServerError,
  UnstorableEventError,
} from '#core/event-store/errors.ts';

/** gRPC's numbers: CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS. */
const OUTAGES = [1, 2, 4, 8, 10, 13, 14, 15];
/** PERMISSION_DENIED, UNAUTHENTICATED. */
const REFUSALS = [7, 16];

/** The event store does not know our user, or does not let it: trying again does not help, putting it right does. */
export class EventStoreRefusedError extends EventStoreUnavailableError {}

/**
 * What an error of the client means to the port. Some are classes of the client, some are bare gRPC errors with nothing but
 * a code, some (a closed channel, a cluster that cannot be found) have neither. Mistakes of ours come back as they are.
 */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error))
    return new EventStoreUnavailableError('the event store failed', { cause: error });
  if (error instanceof EventStoreUnavailableError || error instanceof WrongExpectedVersionError) return error;
  if (error instanceof UnstorableEventError) return error;
  if (error instanceof MaxAppendSizeExceededError) {
    return new UnstorableEventError('the append is larger than the event store allows', { cause: error });
  }
  const code = 'code' in error && typeof error.code === 'number' ? error.code : undefined;
  if (error instanceof AccessDeniedError || (code !== undefined && REFUSALS.includes(code))) {
    return new EventStoreRefusedError('the event store refuses the credentials', { cause: error });
  }
  return isOutage(error, code)
    ? new EventStoreUnavailableError('the event store is unavailable', { cause: error })
    : error;
}

/** Whether nothing was heard in time: our clock and the client's run at once, and either may be the first. */
export function isSilence(error: unknown): boolean {
  return error instanceof SilentServerError || error instanceof DeadlineExceededError;
}

/** Whether the same call may fare better at once: not while the server refuses us. */
export function mayPass(error: unknown): boolean {
  return error instanceof EventStoreUnavailableError && !(error instanceof EventStoreRefusedError);
}

function isOutage(error: Error, code: number | undefined): boolean {
  if (error instanceof NotLeaderError) return true;
  if (error instanceof InvalidArgumentError || error instanceof UnsupportedError) return false;
  if (error instanceof StreamDeletedError) return false;
  if (code !== undefined) return OUTAGES.includes(code);
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError);
}
