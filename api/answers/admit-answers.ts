import type { Deps } from '#api/deps.ts';
import { addressKey } from '#api/http/client-address.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';

/** Answers from one client in ten minutes: far more than anybody presses. */
const LIMIT = { name: 'answer-link', points: 60, seconds: 600 };

/** Counts an answer by a link, whichever door it came through. Throws 429. */
export function admitAnswers(deps: Deps): (request: Request) => Promise<unknown> {
  const limiter = sharedLimiter(deps, LIMIT);
  return (request) => limiter.consume(addressKey(contextOf(request).ip));
}
