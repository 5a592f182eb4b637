import { pause } from '#core/kernel/pause.ts';

/** How often the same is tried in all. */
const MOST = 4;
/** The longest pause before the second try, in milliseconds; it doubles from try to try. */
const PAUSE = 20;

/** SQLSTATE: what was done could not be put in an order with another transaction, or each waited for the other. */
const GIVEN_UP = ['40001', '40P01'];

/** Whether Postgres gave a transaction up for the sake of another one: nothing of it is left, and the same again may succeed. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GIVEN_UP.includes(String(error.code));
}

/** Does `work`, a whole transaction, and again where it met a conflict; throws the last one. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST || !isConflict(error)) throw error;
      // Not both at once, who stood in each other's way.
      await pause(PAUSE * 2 ** (tries - 1) * Math.random());
    }
  }
}
