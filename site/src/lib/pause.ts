/** Milliseconds between the last keystroke and a check with the server. */
const checkPause = 500;

export type Pause = Readonly<{
  /** Runs the check once nothing else was typed for 500 ms; its signal aborts when something was. */
  after(check: (signal: AbortSignal) => Promise<void>): void;
  /** Whatever waits or runs counts no more. */
  cancel(): void;
}>;

/** Lets one check run after a pause, the newest alone. */
export function createPause(): Pause {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();

  function cancel(): void {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
  }

  return {
    after(check) {
      cancel();
      const { signal } = running;
      timer = setTimeout(() => void check(signal), checkPause);
    },
    cancel,
  };
}
