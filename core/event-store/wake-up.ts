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
