/** Resolves after `milliseconds`, or at once when `signal` aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}

/** How long to wait after so many failures in a row, in milliseconds: a quarter of a second, doubling up to two. */
export function backOff(failures: number): number {
  return Math.min(2_000, 250 * 2 ** Math.max(0, failures - 1));
}
