import { pbkdf2Sync } from 'node:crypto';
import { type Challenge, type DeriveKeyFunction, type Solution, solveChallenge } from 'altcha-lib';

/** An answer with its body parsed where it is JSON. */
export type Answer = Readonly<{
  status: number;
  headers: Headers;
  text: string;
  body: any;
}>;

export type Client = Readonly<{
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Any request; `body` is sent as it is. */
  send(
    method: string,
    path: string,
    init?: { body?: BodyInit; headers?: Record<string, string> },
  ): Promise<Answer>;
}>;

type Handler = { handle(request: Request): Promise<Response> | Response };

/** Calls a server through the network, and follows no redirect. An answer may take thirty seconds. */
export function fetchClient(url: string, always: Readonly<Record<string, string>> = {}): Client {
  const handle = (request: Request) =>
    fetch(new Request(request, { redirect: 'manual', signal: AbortSignal.timeout(30_000) }));
  return apiClient({ handle }, always, url);
}

/** Calls an app in process. Paths start with a slash, `/api` included. */
export function apiClient(
  app: Handler,
  always: Readonly<Record<string, string>> = {},
  base = 'http://localhost',
): Client {
  const send: Client['send'] = async (method, path, { body, headers = {} } = {}) => {
    const request = new Request(base + path, {
      method,
      headers: { ...always, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return answerOf(await app.handle(request));
  };
  const sendJson = (method: string) => (path: string, body?: unknown, headers?: Record<string, string>) =>
    send(method, path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
  return {
    send,
    get: (path, headers) => send('GET', path, headers ? { headers } : {}),
    post: sendJson('POST'),
    put: sendJson('PUT'),
    delete: sendJson('DELETE'),
  };
}

/** Every answer of every test passes here: 403 signs people out, so it says that a session is dead and nothing else. */
async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const json = headers.get('content-type')?.includes('application/json') ?? false;
  const body = json && text !== '' ? JSON.parse(text) : undefined;
  if (status === 403 && text !== '' && body?.message !== 'Session timed out') {
    throw new Error(`403 for something else: ${text}`);
  }
  return { status, headers, text, body };
}

/** What the browser's worker does, without its round trip per guess: a whole search takes some milliseconds. */
const deriveKey: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => ({
  derivedKey: pbkdf2Sync(password, salt, cost, keyLength, 'sha256'),
});

/** Really solves a challenge. */
export async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('the challenge has no solution');
  return solution;
}

/** The text that goes to `/bot-check/verify`. */
export function payloadOf(challenge: Challenge, solution: Solution): string {
  return btoa(JSON.stringify({ challenge, solution }));
}

export type LiveReader = Readonly<{
  /** Everything received so far. */
  text(): string;
  /** Resolves once the text has what was asked; rejects when the stream ends or `timeoutMs` is over. */
  until(wanted: string | RegExp, timeoutMs?: number): Promise<string>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  cancel(): Promise<void>;
}>;

/** Reads a server-sent stream as text. */
export function readLive(response: Response): LiveReader {
  if (!response.body) throw new Error('no stream');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const waiting = new Set<() => void>();
  let text = '';
  let over = false;
  const tell = () => {
    for (const check of waiting) check();
  };
  const ended = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += next.value;
      tell();
    }
  })().finally(() => {
    over = true;
    tell();
  });

  function until(wanted: string | RegExp, timeoutMs = 30_000): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = () => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    const check = () => {
      if (done()) resolve(text);
      else if (over) reject(new Error(`the stream ended with: ${text}`));
    };
    const timer = setTimeout(() => reject(new Error(`not within ${timeoutMs} ms: ${text}`)), timeoutMs);
    waiting.add(check);
    check();
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(check);
    });
  }

  return { text: () => text, until, ended, cancel: () => reader.cancel() };
}

/** A body that is made as it is asked for, and counts what was. */
export type PulledBody = Readonly<{
  body: ReadableStream<Uint8Array>;
  /** Bytes that were read until now. */
  pulled(): number;
  /** Resolves once `bytes` of it were asked for. */
  reached(bytes: number): Promise<void>;
  /** Lets a body that waits go on to its end. */
  finish(): void;
}>;

const PIECE = 65_536;

/**
 * `start`, then a filling of `size` bytes, then `end`. With `waits`, all but the last piece of the filling comes at once, and the
 * rest only after `finish`.
 */
export function pulledBody({
  start = '',
  size,
  end = '',
  waits = false,
}: Readonly<{ start?: string; size: number; end?: string; waits?: boolean }>): PulledBody {
  let pulled = 0;
  const waiting: { bytes: number; resolve: () => void }[] = [];
  const open = Promise.withResolvers<void>();
  const pieces = piecesOf(start, size, end);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = pieces.next();
        if (done) {
          controller.close();
          return;
        }
        if (waits && value.isLast) await open.promise;
        pulled += value.bytes.length;
        controller.enqueue(value.bytes);
        for (const { bytes, resolve } of waiting) if (pulled >= bytes) resolve();
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
  return {
    body,
    pulled: () => pulled,
    reached: (bytes) =>
      new Promise((resolve) => {
        if (pulled >= bytes) resolve();
        else waiting.push({ bytes, resolve });
      }),
    finish: () => open.resolve(),
  };
}

function* piecesOf(start: string, size: number, end: string) {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (start !== '') yield { bytes: bytes(start), isLast: false };
  for (let sent = 0; sent < size; sent += PIECE) {
    const isLast = sent + PIECE >= size;
    yield { bytes: new Uint8Array(Math.min(PIECE, size - sent)).fill(0x61), isLast };
  }
  if (end !== '') yield { bytes: bytes(end), isLast: false };
}
