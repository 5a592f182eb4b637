import { pause } from '#core/kernel/pause.ts';
import { EventStoreUnavailableError } from './errors.ts';

/** Lets readers sleep until something was appended. A notification between a check and a sleep is not lost. */
export type WakeUp = Readonly<{
  /** Ask before checking; give the answer to `sleep`. */
  generation(): number;
  notify(): void;
  /** Resolves at the first notification since `seen`, after `ms`, or when `signal` aborts. */
  sleep(seen: number, ms: number, signal: AbortSignal): Promise<void>;
}>;

export function createWakeUp(): WakeUp {
  let generation = 0;
  const sleepers = new Set<() => void>();
  return {
    generation: () => generation,
    notify() {
      generation += 1;
      for (const wake of [...sleepers]) wake();
    },
    sleep(seen, ms, signal) {
      return new Promise((resolve) => {
        if (seen !== generation || signal.aborted) return resolve();
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        sleepers.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
  };
}

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

/** Does the work, again and again while the log is unavailable. Answers undefined once `signal` aborts. */
export async function untilReachable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  for (let wait = SHORTEST_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error;
      await pause(wait, signal);
    }
  }
  return undefined;
}
