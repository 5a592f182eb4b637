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

/** Every answer says how it went: `'ok'` with what was asked, else `'error'` with a message for the person. */
export type Ok<Payload extends object = object> = { status: 'ok' } & Payload;

export type Failure = {
  status: 'error';
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
  constructor(
    readonly status: number,
    message: string,
    readonly extra: Readonly<{
      fields?: Readonly<Record<string, string>>;
      headers?: Readonly<Record<string, string>>;
      /** Answered beside the message. */
      payload?: FailureDetails;
    }> = {},
  ) {
    super(message);
  }
}

/** 400: the request itself is malformed, or its bot check is missing, wrong or used. */
export function badRequest(message: string, fields?: Readonly<Record<string, string>>): HttpError {
  return new HttpError(400, message, fields ? { fields } : {});
}

/** Which bot check is asked for, and how many times the plain work it costs. */
type NeededCheck = Readonly<{ scope: BotCheckScope; price: number }>;

/** 400: the same request again with a ticket of this bot check in `x-bot-check`. The pages do it by themselves. */
export function botCheckNeeded(botCheck: NeededCheck): HttpError {
  const message = 'We need to check that a person is asking. Please try again in a moment';
  return new HttpError(400, message, { payload: { botCheck } });
}

/** 422: understood, but a value breaks a rule. */
export function invalid(
  fields: Readonly<Record<string, string>>,
  message = 'Please check what you entered',
): HttpError {
  return new HttpError(422, message, { fields });
}

/** 404: unknown, or another business's; the two are identical. */
export function notFound(): HttpError {
  return new HttpError(404, 'Not found');
}

/** 403: the one status that signs the person out, so it means a dead or missing session and nothing else. */
export function sessionTimedOut(): HttpError {
  return new HttpError(403, 'Session timed out');
}

/** 429 with Retry-After in whole seconds, at least one. The message says when. */
export function tooManyRequests(seconds: number, message?: string): HttpError {
  const wait = Math.max(1, Math.ceil(seconds));
  const said = message ?? `Too many attempts. Please try again in ${waitWords(wait)}.`;
  return new HttpError(429, said, { headers: { 'retry-after': String(wait) } });
}

/** `1 second`, `40 seconds`, `15 minutes`, `2 hours`: rounded up, so that no client comes too early. */
function waitWords(seconds: number): string {
  const [size, unit] = seconds < 60 ? [1, 'second'] : seconds <= 5_400 ? [60, 'minute'] : [3_600, 'hour'];
  const count = Math.ceil(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** 503: something we stand on is unavailable; the same request may be sent again. */
export function unavailable(): HttpError {
  return new HttpError(503, 'We are having trouble right now, please try again in a moment', {
    headers: { 'retry-after': '5' },
  });
}

/** The answer to anything that was thrown. The one place where a domain error gets its HTTP status. */
export function httpErrorFor(error: unknown, code: string | number = 'UNKNOWN'): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof DomainError) return domainError(error);
  if (error instanceof WrongExpectedRevisionError) {
    return new HttpError(409, 'This was changed by somebody else just now, please try again');
  }
  if (error instanceof UnstorableEventError) {
    return new HttpError(422, 'Some of the text cannot be stored, please check what you entered');
  }
  if (error instanceof EventStoreUnavailableError || error instanceof ProviderError) return unavailable();
  if (isOutage(error) || isConflict(error)) return unavailable();
  if (code === 'NOT_FOUND') return notFound();
  if (code === 'PARSE' || code === 'INVALID_COOKIE_SIGNATURE')
    return badRequest('The request cannot be read');
  return new HttpError(500, 'An error has occurred, please try again later');
}

function domainError(error: DomainError): HttpError {
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof InvalidInputError) return invalid(error.fields, error.message);
  if (error instanceof IllegalTransitionError || error instanceof ConflictError) {
    return new HttpError(409, error.message);
  }
  return new HttpError(409, 'This is not possible just now');
}
