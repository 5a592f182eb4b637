import { atom, onMount, type ReadableAtom } from 'nanostores';
import { readShaped, type Shape } from '#site/lib/shape.ts';
import { ApiError, unknownFailure } from './api.ts';
import { type Read, readAndCopy, readCopies, readServer } from './query-sources.ts';
import { withRetries } from './retry.ts';

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
  /** Puts data that another answer brought, or changes what is there. */
  update(change: (data: T | undefined) => T | undefined): void;
}>;

export type QueryOptions = {
  /** Also stored in sessionStorage, if it has this shape, so that the next page starts from it. For counts only. */
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
const cache = new Map<string, Known>();

/**
 * The query of this key, made on first use and shared by every caller that asks for it. Loads when listened to, with the
 * retries of `retry.ts`; dropped five minutes after the last listener went.
 */
export function query<T>(key: string, load: Load<T>, options: QueryOptions = {}): Query<T> {
  const known = cache.get(key) ?? createQuery(key, load, options);
  cache.set(key, known);
  return known.query as Query<T>;
}

/** Loads again what a component listens to; the rest loads anyway when it is next listened to. */
export function refreshQueries(matches: (key: string) => boolean): void {
  for (const [key, { query: known, isListened }] of cache) {
    if (matches(key) && isListened()) void known.refresh();
  }
}

function createQuery<T>(key: string, load: Load<T>, options: QueryOptions): Known {
  const state = atom<QueryState<T>>({ status: 'pending', fetchStatus: 'idle', ...stored<T>(key, options) });
  const dropped = new AbortController();
  let expiry: ReturnType<typeof setTimeout> | undefined;
  let listened = false;
  let running: Promise<void> | null = null;
  let wantedAgain = false;

  const { signal } = dropped;
  const read = options.readsOffline ? readAndCopy(signal) : readServer(signal);

  async function run(): Promise<void> {
    const waiting = setTimeout(() => void showCopy(), timeout);
    try {
      settle(
        await withRetries(
          () => load(signal, read),
          (fetchStatus) => {
            state.set({ ...state.get(), fetchStatus });
            if (fetchStatus === 'paused') void showCopy();
          },
        ),
      );
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
    const readCopy = readCopies(onCopy);
    const data = await load(signal, readCopy)
      .catch(() => options.otherwise?.(signal, readCopy) as Promise<T> | undefined)
      .catch(() => undefined);
    if (data === undefined || state.get().data !== undefined) return;
    state.set({ ...state.get(), status: 'success', data, updatedAt, isCopy: true });
  }

  function settle(data: T): void {
    state.set({ status: 'success', fetchStatus: 'idle', data, updatedAt: Date.now() });
    if (options.storeInTab) sessionStorage.setItem(storageKey(key), JSON.stringify(data));
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
        cache.delete(key);
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
  if (!storeInTab || typeof sessionStorage === 'undefined') return {};
  const data = readShaped(sessionStorage.getItem(storageKey(key)), storeInTab);
  return data === null ? {} : { status: 'success', data: data as T };
}
