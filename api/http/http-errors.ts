import type { BotCheckScope } from '#api/providers/bot-check/bot-check.ts';

/** An answer other than 'ok' that a route or the edge has chosen. `message` is read by a person and repeats no input. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  constructor(
    readonly status: number,
    message: string,
    readonly extra: Readonly<{
      fields?: Readonly<Record<string, string>>;
      headers?: Readonly<Record<string, string>>;
      /** Answered beside the message: what stands now, for who came too late. */
      payload?: Readonly<Record<string, unknown>>;
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
