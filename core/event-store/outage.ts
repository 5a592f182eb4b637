import { pause } from '#core/kernel/pause.ts';
import { EventStoreUnavailableError } from './errors.ts';

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
