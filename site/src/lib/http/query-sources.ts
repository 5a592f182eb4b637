import { copies } from '#site/lib/offline/copies.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { ApiError, request, unknownFailure } from './api.ts';
import type { AnswerOf, PathOf } from './operations.ts';

/** Gives the payload of GET at `/api` + path. Rejects with an ApiError. */
export type Read = <const Path extends string>(path: PathOf<'GET', Path>) => Promise<AnswerOf<'GET', Path>>;

/** Asks the server. */
export function readServer(signal: AbortSignal): Read {
  return (path) => request('GET', path, { signal });
}

/** Asks the server, and caches its answer for reading without a network. */
export function readAndCopy(signal: AbortSignal): Read {
  return async (path) => {
    const payload = await request('GET', path, { signal });
    const token = $session.get()?.token;
    if (token) void copies.store(token, path, payload);
    return payload;
  };
}

/** Sends no request: answers as the server did the last time. `onCopy` is called with when that was, in ms since the epoch. */
export function readCopies(onCopy: (at: number) => void): Read {
  return async <const Path extends string>(path: PathOf<'GET', Path>) => {
    const copy = await copies.read($session.get()?.token ?? '', path);
    if (!copy) throw new ApiError(unknownFailure, 0);
    onCopy(copy.at);
    return copy.payload as AnswerOf<'GET', Path>;
  };
}
