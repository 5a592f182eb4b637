import { setTimeout as delay } from 'node:timers/promises';

/** Waits `milliseconds`, less when `signal` aborts. Never throws. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, signal ? { signal } : {}).catch(() => {});
}

/** How long to wait after so many failures in a row: a quarter of a second, doubling up to two. */
export function backOff(failures: number): number {
  return Math.min(2_000, 250 * 2 ** Math.max(0, failures - 1));
}
