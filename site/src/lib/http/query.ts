import { atom, onMount, type ReadableAtom } from 'nanostores';
import { useSyncExternalStore } from 'react';
import { tabValues } from '#site/lib/browser-storage.ts';
import { type Copies, copies } from '#site/lib/offline/copies.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { readShaped, type Shape } from '#site/lib/shape.ts';
import { type AnswerOf, ApiError, type PathOf, request, unknownFailure } from './api.ts';

/** Gives the payload of GET at `/api` + path. Rejects with an ApiError. */
export type Read = <const Path extends string>(path: PathOf<'GET', Path>) => Promise<AnswerOf<'GET', Path>>;

/** What queries read: the API, and its earlier answers, which are cached for reading without a network. */
export type Sources = Readonly<{ request: typeof request; copies: Pick<Copies, 'read' | 'store'> }>;

/** Asks the server. */
export function readServer(signal: AbortSignal, ask = request): Read {
  return (path) => ask('GET', path, { signal });
}

/** Asks the server, and caches its answer for reading without a network. */
function readAndCopy(signal: AbortSignal, sources: Sources): Read {
  return async (path) => {
    const payload = await sources.request('GET', path, { signal });
    const token = $session.get()?.token;
    if (token) void sources.copies.store(token, path, payload);
    return payload;
  };
}

/** Sends no request: answers as the server did the last time. `onCopy` is called with when that was, in ms since the epoch. */
export function readCopies(cached: Pick<Copies, 'read'>, onCopy: (at: number) => void): Read {
  return async <const Path extends string>(path: PathOf<'GET', Path>) => {
    const copy = await cached.read($session.get()?.token ?? '', path);
    if (!copy) throw new ApiError(unknownFailure, 0);
    onCopy(copy.at);
    return copy.payload as AnswerOf<'GET', Path>;
  };
}

/** A query as the user meets it: what is known, and whether more is on its way. */
export type QueryState<T> = Readonly<{
  status: 'pending' | 'success' | 'error';
  fetchStatus: 'fetching' | 'paused' | 'idle';
  data?: T;
  error?: ApiError;
  /** Milliseconds since the epoch when `data` arrived. */
  updatedAt?: number;
  /** `data` is what the server answered then: it was not reachable since. */
  isCopy?: boolean;
}>;

export type Query<T> = Readonly<{
  /** Starts to load with its first listener. */
  $state: ReadableAtom<QueryState<T>>;
  /** Loads again; while one load is under way, one more follows it. Never rejects. */
  refresh(): Promise<void>;
  /** Puts data that another answer brought, or changes what is there. A load that began before follows once more. */
  update(change: (data: T | undefined) => T | undefined): void;
}>;

export type QueryOptions = {
  /** Also stored in the tab, if it has this shape, so that the next page starts from it. For counts only. */
  storeInTab?: Shape<unknown>;
  /** Answers are cached, and shown as long as the server is not reachable. `load` reads by its second parameter alone. */
  readsOffline?: boolean;
  /** Where this was never loaded on the device: what the cached answers of other pages know of it. */
  otherwise?: Load<unknown>;
};

/** Loads what a query is about; `read` gives what the API answers at a path. */
type Load<T> = (signal: AbortSignal, read: Read) => Promise<T>;

type Known = { query: Query<unknown>; isListened(): boolean };

const cacheTime = 5 * 60_000;
/** How long an answer is waited for before a copy of an earlier one is shown meanwhile, in milliseconds. */
const timeout = 3_000;

export type Queries = Readonly<{
  query<T>(key: string, load: Load<T>, options?: QueryOptions): Query<T>;
  refreshQueries(matches: (key: string) => boolean): void;
}>;

/** Queries that share one cache. A page has one set of them; a test makes its own. */
export function createQueries(sources: Sources): Queries {
  const cache = new Map<string, Known>();
  return {
    query<T>(key: string, load: Load<T>, options: QueryOptions = {}): Query<T> {
      const known =
        cache.get(key) ?? createQuery(key, load, { sources, onDrop: () => cache.delete(key), ...options });
      cache.set(key, known);
      return known.query as Query<T>;
    },
    refreshQueries(matches) {
      for (const [key, { query: known, isListened }] of cache) {
        if (matches(key) && isListened()) void known.refresh();
      }
    },
  };
}

const queries = createQueries({ request, copies });

/**
 * The query of this key, made on first use and shared by every caller that asks for it. Loads when listened to, with the
 * retries of `withRetries`; dropped five minutes after the last listener went.
 */
export const query = queries.query;

/** Loads again what a component listens to; the rest loads anyway when it is next listened to. */
export const refreshQueries = queries.refreshQueries;

type Made = QueryOptions & Readonly<{ sources: Sources; onDrop(): void }>;

function createQuery<T>(key: string, load: Load<T>, options: Made): Known {
  const state = atom<QueryState<T>>({ status: 'pending', fetchStatus: 'idle', ...stored<T>(key, options) });
  const dropped = new AbortController();
  let expiry: ReturnType<typeof setTimeout> | undefined;
  let listened = false;
  let running: Promise<void> | null = null;
  let wantedAgain = false;

  const { signal } = dropped;
  const { sources } = options;
  const read = options.readsOffline ? readAndCopy(signal, sources) : readServer(signal, sources.request);

  async function run(): Promise<void> {
    const waiting = setTimeout(() => void showCopy(), timeout);
    const before = state.get().data;
    try {
      const data = await withRetries(
        () => load(signal, read),
        (fetchStatus) => {
          state.set({ ...state.get(), fetchStatus });
          if (fetchStatus === 'paused') void showCopy();
        },
      );
      // What was put meanwhile is newer than what was asked for before it.
      if (state.get().data === before || state.get().isCopy) settle(data);
      else wantedAgain = true;
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : new ApiError(unknownFailure, 0);
      state.set({ ...state.get(), status: 'error', fetchStatus: 'idle', error });
    } finally {
      clearTimeout(waiting);
    }
  }

  /** Shows what the server answered the last time, where nothing newer is known. */
  async function showCopy(): Promise<void> {
    if (!options.readsOffline || state.get().data !== undefined) return;
    let updatedAt = Date.now();
    const onCopy = (at: number) => (updatedAt = Math.min(updatedAt, at));
    const readCopy = readCopies(sources.copies, onCopy);
    const data = await load(signal, readCopy)
      .catch(() => options.otherwise?.(signal, readCopy) as Promise<T> | undefined)
      .catch(() => undefined);
    if (data === undefined || state.get().data !== undefined) return;
    state.set({ ...state.get(), status: 'success', data, updatedAt, isCopy: true });
  }

  function settle(data: T): void {
    state.set({ status: 'success', fetchStatus: 'idle', data, updatedAt: Date.now() });
    if (options.storeInTab) tabValues.setItem(storageKey(key), JSON.stringify(data));
  }

  function refresh(): Promise<void> {
    wantedAgain = running !== null;
    running ??= run().finally(() => {
      running = null;
      if (wantedAgain) void refresh();
    });
    return running;
  }

  function update(change: (data: T | undefined) => T | undefined): void {
    const data = change(state.get().data);
    if (data !== undefined) settle(data);
  }

  onMount(state, () => {
    clearTimeout(expiry);
    listened = true;
    void refresh();
    return () => {
      listened = false;
      expiry = setTimeout(() => {
        options.onDrop();
        dropped.abort();
      }, cacheTime);
    };
  });

  return { query: { $state: state, refresh, update } as Query<unknown>, isListened: () => listened };
}

function storageKey(key: string): string {
  return `ute.query.${key}`;
}

function stored<T>(key: string, { storeInTab }: QueryOptions): Partial<QueryState<T>> {
  if (!storeInTab) return {};
  const data = readShaped(tabValues.getItem(storageKey(key)), storeInTab);
  return data === null ? {} : { status: 'success', data: data as T };
}

const retries = 3;
const firstDelay = 1_000;
const longestDelay = 30_000;

/**
 * Loads, and asks again where that may help: three retries after 1, 2 and 4 seconds. While the browser is offline it
 * waits instead. `phase` is called with which of both is going on.
 * @throws the last error.
 */
export async function withRetries<T>(
  load: () => Promise<T>,
  phase: (now: 'fetching' | 'paused') => void,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    if (isOffline()) {
      phase('paused');
      await untilOnline();
    }
    phase('fetching');
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof ApiError && error.isTransient) || attempt >= retries) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(attempt, error.retryAfter)));
    }
  }
}

/** Milliseconds before the retry after `attempt` (from 0): doubling, at least what the server asked for in seconds. */
export function retryDelay(attempt: number, retryAfter: number | null): number {
  return Math.max(Math.min(firstDelay * 2 ** attempt, longestDelay), (retryAfter ?? 0) * 1_000);
}

function isOffline(): boolean {
  return navigator.onLine === false;
}

function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

const pending: QueryState<never> = { status: 'pending', fetchStatus: 'idle' };

/** A query's state in a component. On the server, and while the page hydrates, it is pending: the skeleton. */
export function useQuery<T>({ $state }: Query<T>): QueryState<T> {
  return useSyncExternalStore<QueryState<T>>(
    (onChange) => $state.listen(onChange),
    () => $state.get(),
    () => pending,
  );
}
