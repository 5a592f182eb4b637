import { atom, onMount, type ReadableAtom } from 'nanostores';
import { ApiError } from './api.ts';

/** A query as the user meets it (spec §4): what is known, and whether more is on its way. */
export type QueryState<T> = Readonly<{
  status: 'pending' | 'success' | 'error';
  fetchStatus: 'fetching' | 'paused' | 'idle';
  data?: T;
  error?: ApiError;
  /** Milliseconds since the epoch when `data` arrived. */
  updatedAt?: number;
}>;

export type Query<T> = Readonly<{
  /** Starts to load with its first listener. */
  $state: ReadableAtom<QueryState<T>>;
  /** Loads again; while one load is under way, another waits for it. Never rejects. */
  refresh(): Promise<void>;
  /** Puts data that another answer brought, or changes what is there. */
  update(change: (data: T | undefined) => T | undefined): void;
}>;

export type QueryOptions = {
  /** Also kept in sessionStorage, so that the next page starts from it. For counts only. */
  keepInTab?: boolean;
};

const retries = 3;
const firstDelay = 1_000;
const longestDelay = 30_000;
const cacheTime = 5 * 60_000;
const cache = new Map<string, Query<unknown>>();

/**
 * The query of this key, made on first use and shared by everyone who asks for it.
 * Loads when listened to; three retries after 1, 2 and 4 seconds where asking again may help; waits while offline;
 * forgotten five minutes after the last listener went.
 */
export function query<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  options: QueryOptions = {},
): Query<T> {
  const known = cache.get(key);
  if (known) return known as Query<T>;
  const made = createQuery(key, load, options);
  cache.set(key, made as Query<unknown>);
  return made;
}

/** Loads every query again that somebody listens to; the others when they are next listened to. */
export function refreshQueries(matches: (key: string) => boolean): void {
  for (const [key, known] of cache) if (matches(key)) void known.refresh();
}

/** Milliseconds before try number `attempt` + 1 (from 0), at least what the server asked for. */
export function retryDelay(attempt: number, error: ApiError): number {
  return Math.max(Math.min(firstDelay * 2 ** attempt, longestDelay), (error.retryAfter ?? 0) * 1_000);
}

function createQuery<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  options: QueryOptions,
): Query<T> {
  const state = atom<QueryState<T>>({ status: 'pending', fetchStatus: 'idle', ...kept<T>(key, options) });
  let running: Promise<void> | null = null;
  let again = false;
  let forget: ReturnType<typeof setTimeout> | undefined;
  const aborter = new AbortController();

  async function run(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      await online(() => state.set({ ...state.get(), fetchStatus: 'paused' }));
      state.set({ ...state.get(), fetchStatus: 'fetching' });
      try {
        return settle(await load(aborter.signal));
      } catch (thrown) {
        const error = thrown instanceof ApiError ? thrown : new ApiError(String(thrown), 0);
        const mayRetry = thrown instanceof ApiError && thrown.isTransient && attempt < retries;
        if (!mayRetry) return state.set({ ...state.get(), status: 'error', fetchStatus: 'idle', error });
        await new Promise((resolve) => setTimeout(resolve, retryDelay(attempt, error)));
      }
    }
  }

  function settle(data: T): void {
    state.set({ status: 'success', fetchStatus: 'idle', data, updatedAt: Date.now() });
    if (options.keepInTab) sessionStorage.setItem(`ute.query.${key}`, JSON.stringify(data));
  }

  function refresh(): Promise<void> {
    if (running) again = true;
    running ??= run().finally(() => {
      running = null;
      if (again) {
        again = false;
        void refresh();
      }
    });
    return running;
  }

  onMount(state, () => {
    clearTimeout(forget);
    void refresh();
    return () => {
      forget = setTimeout(() => cache.delete(key), cacheTime);
    };
  });

  return {
    $state: state,
    refresh,
    update: (change) => {
      const data = change(state.get().data);
      if (data !== undefined) settle(data);
    },
  };
}

function kept<T>(key: string, options: QueryOptions): Partial<QueryState<T>> {
  const text =
    options.keepInTab && typeof sessionStorage !== 'undefined'
      ? sessionStorage.getItem(`ute.query.${key}`)
      : null;
  try {
    return text ? { status: 'success', data: JSON.parse(text) as T } : {};
  } catch {
    return {};
  }
}

/** Resolves at once while online, else when the browser is online again. */
function online(waiting: () => void): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  waiting();
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
}
