import { atom, onMount } from 'nanostores';
import type { App } from '#api/app.ts';
import type { Failure } from '#api/http/answers.ts';
import { isLeaving, readRegistration } from '#site/lib/session/session-storage.ts';
import { $session, endSession } from '#site/lib/session/session-store.ts';

/** What the user reads when the server's answer has no message. */
export const unknownFailure = 'An error has occurred, please try again later';

/** An answer whose `status` is not 'ok', or no answer at all. */
export class ApiError extends Error {
  override name = 'ApiError';

  /** `status` is the HTTP status, 0 where no answer came; `retryAfter` in seconds; `payload` all that came. */
  constructor(
    message: string,
    readonly status: number,
    readonly fields: Readonly<Record<string, string>> = {},
    readonly retryAfter: number | null = null,
    readonly payload: Readonly<Partial<Failure>> = {},
  ) {
    super(message);
  }

  /** Whether asking again may help: no answer, an outage, or a limit. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export type RequestOptions<Body = unknown> = {
  body?: Body | undefined;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Goes out even though the page is being left. */
  keepalive?: boolean;
};

/**
 * Asks the API at `/api` + path and gives its payload.
 * Sends the bearer token, and the id of a registration, where there is one. Any 403 ends the session and goes to the
 * login; the promise of a page that is leaving never settles.
 * @throws ApiError for any answer but 'ok', with the server's message and the message of each bad field.
 */
export async function request<M extends Method, const Path extends string>(
  method: M,
  path: PathOf<M, Path>,
  options: RequestOptions<BodyOf<M, Path>> = {},
): Promise<AnswerOf<M, Path>> {
  if (isLeaving()) return never();
  const answer = await send(method, path, options);
  if (answer.status === 403) {
    endSession('session-timed-out');
    return never();
  }
  if (method === 'GET' && path.startsWith('/jobs') && answer.ok) noteReadModel(answer.headers);
  const payload = await readJson(answer);
  if (answer.ok && payload?.status === 'ok') return payload as AnswerOf<M, Path>;
  throw new ApiError(
    typeof payload?.message === 'string' && payload.message ? payload.message : unknownFailure,
    answer.status,
    (payload?.fields ?? {}) as Record<string, string>,
    Number(answer.headers.get('retry-after')) || null,
    payload ?? {},
  );
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const token = $session.get()?.token;
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  if (token) headers.authorization = `Bearer ${token}`;
  const registration = readRegistration();
  if (registration) headers['x-rid'] = registration.rid;
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(`/api${path}`, {
      method,
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
      keepalive: options.keepalive ?? false,
      cache: 'no-store',
    });
  } catch (cause) {
    if (options.signal?.aborted && (cause as Error).name !== 'TimeoutError') throw cause;
    throw new ApiError(unknownFailure, 0);
  }
}

function readJson(answer: Response): Promise<Record<string, unknown> | null> {
  return answer.json().catch(() => null);
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}

type Routes = App['~Routes']['api'];
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A segment as the routes name it: itself, or the parameter that stands in its place. */
type Named<Level, Segment extends string> = Segment extends keyof Level
  ? Segment
  : Extract<keyof Level, `:${string}`>;
type RouteAt<Level, Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? RouteAt<Level[Named<Level, Head>], Rest>
  : Level[Named<Level, Path>];
type MethodAt<M extends Method, Route> = [Route] extends [never]
  ? never
  : Route extends Record<Lowercase<M>, infer Found>
    ? Found
    : never;
type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;
type Operation<M extends Method, Path extends string> =
  WithoutQuery<Path> extends `/${infer Segments}` ? MethodAt<M, RouteAt<Routes, Segments>> : never;

/** `Path` where the API has an operation there, else never: a path that does not exist does not compile. */
export type PathOf<M extends Method, Path extends string> = [Operation<M, Path>] extends [never]
  ? never
  : Path;

/** What the API's handler answers: a field that it renames does not compile in the site. */
export type AnswerOf<M extends Method, Path extends string> =
  Operation<M, Path> extends { response: { 200: infer Payload } } ? Payload : never;

/** What a request takes, by the schema of its route; undefined where that has none. */
export type BodyOf<M extends Method, Path extends string> =
  Operation<M, Path> extends { body: infer Body } ? (unknown extends Body ? undefined : Given<Body>) : never;

/** The parameters that a route's schema names, each as it is typed into the address. */
export type QueryOf<M extends Method, Path extends string> =
  Operation<M, Path> extends { query: infer Query } ? { readonly [Name in keyof Query]?: string } : never;

/** A value that is only sent. */
type Given<Value> = Value extends object ? { readonly [Key in keyof Value]: Given<Value[Key]> } : Value;

/** Whether the browser reports a network. */
const isOnline = atom(true);
export const $isOnline = isOnline;

onMount(isOnline, () => {
  if (typeof window === 'undefined') return;
  const read = () => isOnline.set(navigator.onLine);
  read();
  addEventListener('online', read);
  addEventListener('offline', read);
  return () => {
    removeEventListener('online', read);
    removeEventListener('offline', read);
  };
});

/** Whether the server's answer marked that what it shows may miss the latest changes. */
const isStale = atom(false);
export const $isStale = isStale;

/** Reads the marks of an answer to a question about jobs. */
function noteReadModel(headers: Headers): void {
  isStale.set(headers.get('x-read-model') === 'stale');
}
