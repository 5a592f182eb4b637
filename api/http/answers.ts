import type { BotCheckScope } from '#api/providers/bot-check.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import {
  EventStoreUnavailableError,
  UnstorableEventError,
  WrongExpectedRevisionError,
} from '#core/event-store/errors.ts';
import type { JobView } from '#core/job/view.ts';
import {
  ConflictError,
  DomainError,
  IllegalTransitionError,
  InvalidInputError,
  NotFoundError,
} from '#core/kernel/errors.ts';
import { isConflict } from '#core/postgres/conflict.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

/** Every answer says how it went: `'ok'` with what was asked, else `'error'` with a message for the person. */
export type Ok<Payload extends object = object> = { status: 'ok' } & Payload;

export type Failure = {
  status: 'error';
  /** Why, for a program; the words may change. */
  code: ErrorCode;
  message: string;
  /** What the log calls this answer. */
  ref: string;
  /** Path of a field → what is wrong with it, for bad input. */
  fields?: Readonly<Record<string, string>>;
} & FailureDetails;

/** What a client goes on with that was refused. */
export type FailureDetails = Readonly<{
  botCheck?: NeededCheck;
  /** The job as it stands now, for who came too late. */
  job?: JobView;
  /** The mobile number is verified already. */
  phoneVerified?: boolean;
  /** The furthest step of the registration, or the one whose answer is refused. */
  step?: number;
}>;

export function ok(): Ok;
export function ok<Payload extends object>(payload: Payload): Ok<Payload>;
export function ok(payload: object = {}): Ok {
  return { status: 'ok', ...payload };
}

/** An answer other than 'ok' that a route or the edge has chosen. `message` is read by a person and repeats no input. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly extra: Readonly<{
      fields?: Readonly<Record<string, string>>;
      headers?: Readonly<Record<string, string>>;
      /** Answered beside the message. */
      payload?: FailureDetails;
    }> = {},
  ) {
    super(message);
    this.status = errorCodes[code][0];
  }
}

/** 400: the request itself is malformed. */
export function badRequest(message: string, fields?: Readonly<Record<string, string>>): HttpError {
  return new HttpError('malformed', message, fields ? { fields } : {});
}

/** Which bot check is asked for, and how many times the plain work it costs. */
type NeededCheck = Readonly<{ scope: BotCheckScope; price: number }>;

/** 400: the same request again with a ticket of this bot check in `x-bot-check`. The pages do it by themselves. */
export function botCheckNeeded(botCheck: NeededCheck): HttpError {
  const message = 'We need to check that a person is asking. Please try again in a moment';
  return new HttpError('bot-check-needed', message, { payload: { botCheck } });
}

/** 400: another bot check is asked for than the one that came along, if any. */
export function botCheckFailed(message: string): HttpError {
  return new HttpError('bot-check-failed', message);
}

/** 422: understood, but a value breaks a rule. */
export function invalid(
  fields: Readonly<Record<string, string>>,
  message = 'Please check what you entered',
): HttpError {
  return new HttpError('invalid', message, { fields });
}

/** 404: unknown, or another business's; the two are identical. */
export function notFound(): HttpError {
  return new HttpError('not-found', 'Not found');
}

/** 403: the one status that signs the person out, so it means a dead or missing session and nothing else. */
export function sessionTimedOut(): HttpError {
  return new HttpError('session-timed-out', 'Session timed out');
}

/** 429 with Retry-After in whole seconds, at least one. The message says when. */
export function tooManyRequests(seconds: number, message?: string): HttpError {
  const wait = Math.max(1, Math.ceil(seconds));
  const said = message ?? `Too many attempts. Please try again in ${waitWords(wait)}.`;
  return new HttpError('too-many', said, { headers: { 'retry-after': String(wait) } });
}

/** `1 second`, `40 seconds`, `15 minutes`, `2 hours`: rounded up, so that no client comes too early. */
function waitWords(seconds: number): string {
  const [size, unit] = seconds < 60 ? [1, 'second'] : seconds <= 5_400 ? [60, 'minute'] : [3_600, 'hour'];
  const count = Math.ceil(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** 503: something we stand on is unavailable; the same request may be sent again. */
export function unavailable(): HttpError {
  return new HttpError('unavailable', 'We are having trouble right now, please try again in a moment', {
    headers: { 'retry-after': '5' },
  });
}

/** The answer to anything that was thrown. The one place where a domain error gets its HTTP status. */
export function httpErrorFor(error: unknown, code: string | number = 'UNKNOWN'): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof DomainError) return domainError(error);
  if (error instanceof WrongExpectedRevisionError) {
    return new HttpError('changed-meanwhile', 'This was changed by somebody else just now, please try again');
  }
  if (error instanceof UnstorableEventError) {
    return new HttpError('invalid', 'Some of the text cannot be stored, please check what you entered');
  }
  if (error instanceof EventStoreUnavailableError || error instanceof ProviderError) return unavailable();
  if (isOutage(error) || isConflict(error)) return unavailable();
  if (code === 'NOT_FOUND') return notFound();
  if (code === 'PARSE' || code === 'INVALID_COOKIE_SIGNATURE')
    return badRequest('The request cannot be read');
  return new HttpError('failure', 'An error has occurred, please try again later');
}

function domainError(error: DomainError): HttpError {
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof InvalidInputError) return invalid(error.fields, error.message);
  if (error instanceof ConflictError) return new HttpError(error.code, error.message);
  if (error instanceof IllegalTransitionError) return new HttpError('not-possible', error.message);
  return new HttpError('not-possible', 'This is not possible just now');
}
