import type { Failure } from '#api/http/answers.ts';
import type { AnswerOf, Method, PathOf } from './api.ts';

/** What an answer of the API came to. `lost`: no answer came, or only that something is unavailable, so it is unknown whether it arrived. */
export type Outcome<T> =
  | Readonly<{ kind: 'ok'; payload: T }>
  | Readonly<{
      kind: 'refused';
      status: number;
      code?: Failure['code'] | undefined;
      message: string;
      fields: Readonly<Record<string, string>>;
      /** How many times the plain work the bot check costs that is asked for now. */
      price?: number;
      /** Seconds after which the server asks to try again, where it does. */
      retryAfter?: number;
    }>
  | Readonly<{ kind: 'lost' }>;

type Ask<M extends Method> = Readonly<{
  method?: M;
  /** JSON unless a header differs. */
  body?: string | Blob;
  headers?: Record<string, string>;
  /** How long an answer is waited for, in milliseconds. */
  timeout?: number;
  /** Ends the wait before that. */
  signal?: AbortSignal | undefined;
}>;

const longestWait = 20_000;
/** With 408, the body took too long to arrive. */
const outages = [408, 502, 503, 504];
const outage = 'That did not work just now. Please try again in a moment';

/** Asks the API at `/api` + path. Never throws. */
export async function fetchOutcome<const Path extends string, M extends Method = 'GET'>(
  path: PathOf<M, Path>,
  { method = 'GET' as M, body, headers = {}, timeout = longestWait, signal }: Ask<M> = {},
): Promise<Outcome<AnswerOf<M, Path>>> {
  try {
    const answer = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body ?? null,
      cache: 'no-store',
      signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
    });
    if (outages.includes(answer.status)) return { kind: 'lost' };
    const payload = await answer.json().catch(() => ({}));
    if (answer.ok && payload.status === 'ok') return { kind: 'ok', payload };
    const { code, message, fields = {}, botCheck }: Partial<Failure> = payload;
    const retryAfter = Number(answer.headers.get('retry-after'));
    return {
      ...{ kind: 'refused', status: answer.status, code, fields, price: botCheck?.price ?? 1 },
      message: typeof message === 'string' && message ? message : outage,
      ...(retryAfter > 0 && { retryAfter }),
    };
  } catch {
    return { kind: 'lost' };
  }
}
