import { backOff, pause } from '#core/kernel/pause.ts';
import { openLockSession } from '#core/postgres/locks.ts';
import { leadLock } from './build.ts';
import { type Log, reasonOf } from './failure.ts';

/** How often a process that does not lead asks again, in milliseconds. */
const defaultRetry = 1_000;

type LeadOptions = Readonly<{
  connectionString: string;
  /** What is to be led, each for itself: in a rolling release the old process goes on leading what only it knows. */
  keys: readonly string[];
  log: Log;
  signal: AbortSignal;
  retryMs?: number | undefined;
}>;

type Work = (keys: readonly string[], signal: AbortSignal) => Promise<void>;

/**
 * Runs `work` with the keys that this process has come to lead, until `signal` aborts. `work` is given a signal that
 * also aborts when the lead is lost, and is to resolve soon after. Only one process of a database leads a key at a time;
 * should a former leader still be finishing a batch, the checkpoints' compare-and-set refuses it.
 */
export async function leadWhenPossible(options: LeadOptions, work: Work): Promise<void> {
  const { log, signal } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await leadUntilLost(options, async (...led) => {
        failures = 0;
        await work(...led);
      });
      if (!signal.aborted) log.warn({ event: 'projections-lead-lost' });
    } catch (error) {
      failures++;
      log.warn({ event: 'projections-cannot-lead', reason: reasonOf(error), failures });
      await pause(backOff(failures), signal);
    }
  }
}

/** Takes what is free, and again what becomes free, until the connection is lost or all of it is taken. */
async function leadUntilLost(options: LeadOptions, work: Work): Promise<void> {
  const { connectionString, log, retryMs = defaultRetry } = options;
  const session = await openLockSession(connectionString, 'projections');
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, session.lost, over.signal]);
  const running: Promise<void>[] = [];
  let wanted = options.keys;
  try {
    while (wanted.length > 0 && !signal.aborted) {
      const taken = await session.take(wanted.map(leadLock));
      const led = wanted.filter((key) => taken.includes(leadLock(key)));
      if (led.length > 0) {
        log.info({ event: 'projections-lead-taken', projections: led });
        running.push(work(led, signal));
      }
      wanted = wanted.filter((key) => !led.includes(key));
      if (wanted.length > 0) await pause(retryMs, signal);
    }
    await Promise.all(running);
  } finally {
    over.abort();
    await Promise.allSettled(running);
    await session.close();
  }
}
