import { ApiError } from './api.ts';

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
