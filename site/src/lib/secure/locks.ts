/** The locks that the tabs of this browser share; undefined over plain http. */
export const webLocks = (): LockManager | undefined => navigator.locks;

/**
 * Runs the work under a lock that the tabs share, at once where the browser has no locks or refuses them. `isHeld` is false where
 * another tab has the lock and it is not waited for.
 */
export async function withLock<T>(
  name: string,
  options: LockOptions,
  work: (isHeld: boolean) => Promise<T>,
): Promise<T> {
  let hasBegun = false;
  const begin = (lock: Lock | null) => {
    hasBegun = true;
    return work(lock !== null);
  };
  const locks = webLocks();
  if (!locks) return work(true);
  try {
    return await locks.request(name, options, begin);
  } catch (error) {
    // Where storage is refused so are locks.
    if (hasBegun || (error as Error).name !== 'SecurityError') throw error;
    return work(true);
  }
}
