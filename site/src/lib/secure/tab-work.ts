import { webLocks, withLock } from './locks.ts';

/** Runs the work in one tab at a time; false where another tab is at it. */
export const aloneAmongTabs = (name: string, work: () => Promise<void>): Promise<boolean> =>
  withLock(name, { ifAvailable: true }, async (isHeld) => {
    if (isHeld) await work();
    return isHeld;
  });

/** Whether a tab has a lock. */
export async function isLocked(name: string): Promise<boolean> {
  const { held = [] } =
    (await webLocks()
      ?.query()
      .catch(() => undefined)) ?? {};
  return held.some((lock) => lock.name === name);
}
