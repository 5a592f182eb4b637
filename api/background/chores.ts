import type { Logger } from 'pino';
import { pause } from '#core/kernel/pause.ts';

/** What is to be done because time has passed, and no event says so, with `Needs`. */
export type Chore<Needs> = Readonly<{
  /** Kebab-case; stands in logs. */
  name: string;
  /** Bears a repeat, and being run by two processes at once. What fails is tried again the next time. Ends early once `signal` aborts, where it takes long. */
  run(deps: Needs, signal: AbortSignal): Promise<unknown>;
}>;

/** How often all chores are done, one after the other, in milliseconds. */
const EVERY = 60_000;

/**
 * Does the chores, in every process that works behind the scenes: those of a group one after the other, the groups beside each other.
 * `stop` lets the ones at work finish.
 */
export function startChores<Needs extends Readonly<{ logger: Logger }>>(
  deps: Needs,
  groups: readonly (readonly Chore<Needs>[])[],
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = Promise.all(groups.map((chores) => run(deps, chores, stopping.signal)));
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function run<Needs extends Readonly<{ logger: Logger }>>(
  deps: Needs,
  chores: readonly Chore<Needs>[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const chore of chores) {
      if (signal.aborted) return;
      await chore.run(deps, signal).catch((error: unknown) => {
        deps.logger.warn({ event: 'chore-failed', chore: chore.name, error: (error as Error).name });
      });
    }
    await pause(EVERY, signal);
  }
}
