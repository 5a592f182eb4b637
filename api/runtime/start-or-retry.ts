import type { Logger } from 'pino';
import { EventStoreUnavailableError, unreachedReason } from '#core/event-store/errors.ts';
import { WrongLogError } from '#core/event-store/log-origin.ts';
import { pause } from '#core/kernel/pause.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { ConfigError } from './config/config.ts';

/** How often to try again, in milliseconds. */
const RETRY = 1_000;

export type Later = Readonly<{ signal: AbortSignal; logger: Logger }>;

/** What work came to at the first try; `undefined` when that met an outage. `settled` resolves when nothing goes on. */
export type StartResult<T> = Readonly<{ answer: T | undefined; isDone: boolean; settled: Promise<void> }>;

/**
 * Does the work; when what it stands on is unavailable, answers and goes on trying until it is done or `signal` aborts. Throws
 * what the first try throws other than an outage; from then on every failure is logged and tried again.
 */
export async function startOrRetry<T>(work: () => Promise<T>, later: Later): Promise<StartResult<T>> {
  try {
    return { answer: await work(), isDone: true, settled: Promise.resolve() };
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    later.logger.warn({ event: 'waiting-to-start', reason: reasonOf(error) });
    return { answer: undefined, isDone: false, settled: keepTrying(work, later, reasonOf(error)) };
  }
}

async function keepTrying(
  work: () => Promise<unknown>,
  { signal, logger }: Later,
  firstReason: string,
): Promise<void> {
  for (let lastReason = firstReason; ; ) {
    await pause(RETRY, signal);
    if (signal.aborted) return;
    try {
      await work();
      logger.info({ event: 'started-late' });
      return;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== lastReason) {
        if (isUnavailable(error)) logger.warn({ event: 'waiting-to-start', reason });
        else logger.error({ event: 'cannot-start', reason });
      }
      lastReason = reason;
    }
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof WrongLogError) return false;
  return error instanceof EventStoreUnavailableError || isOutage(error);
}

/** Its name and code: a message may hold an address with its password, except one that is written for the operator. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof WrongLogError) return error.message;
  const unreached = unreachedReason(error);
  if (unreached !== undefined) return unreached;
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}
