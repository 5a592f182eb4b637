import { copies } from '#site/lib/offline/copies.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { ApiError, request, unknownFailure } from './api.ts';

/** Gives the payload of GET at `/api` + path. Rejects with an ApiError. */
export type Read = <T>(path: string) => Promise<T>;

/** Asks the server. */
export function readServer(signal: AbortSignal): Read {
  return (path) => request('GET', path, { signal });
}

/** Asks the server, and caches its answer for reading without a network. */
export function readAndCopy(signal: AbortSignal): Read {
  return async <T>(path: string) => {
    const payload = await request<T>('GET', path, { signal });
    const token = $session.get()?.token;
    if (token) void copies.store(token, path, payload);
    return payload;
  };
}

/** Sends no request: answers as the server did the last time. `onCopy` is called with when that was, in ms since the epoch. */
export function readCopies(onCopy: (at: number) => void): Read {
  return async <T>(path: string) => {
    const copy = await copies.read($session.get()?.token ?? '', path);
    if (!copy) throw new ApiError(unknownFailure, 0);
    onCopy(copy.at);
    return copy.payload as T;
  };
}
