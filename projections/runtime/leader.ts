import { tryLock } from './advisory-lock.ts';
import { reasonOf } from './failure.ts';
import type { Log } from './log.ts';
import { backOff, pause } from './pause.ts';

/** How often a process that does not lead asks again, in milliseconds. */
const defaultRetry = 1_000;

/**
 * Runs `work` whenever this process is the one that leads, until `signal` aborts. `work` is given a signal that also
 * aborts when the lead is lost, and is to resolve soon after. Only one process of a database leads at a time; should a
 * former leader still be finishing a batch, the checkpoints' compare-and-set refuses it.
 */
export async function leadWhenPossible(
  options: { connectionString: string; log: Log; signal: AbortSignal; retryMs?: number | undefined },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { connectionString, log, signal, retryMs = defaultRetry } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const lock = await tryLock(connectionString, 'projections');
      failures = 0;
      if (lock === null) {
        await pause(retryMs, signal);
        continue;
      }
      log.info({ event: 'projections-lead-taken' });
      await work(AbortSignal.any([signal, lock.lost])).finally(lock.release);
      if (!signal.aborted) log.warn({ event: 'projections-lead-lost' });
    } catch (error) {
      failures++;
      log.warn({ event: 'projections-cannot-lead', reason: reasonOf(error), failures });
      await pause(backOff(failures), signal);
    }
  }
}
