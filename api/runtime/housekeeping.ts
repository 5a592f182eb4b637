import { settleHeldBack } from '#api/accounts/settle-held-back.ts';
import { completeSkeletons } from '#api/businesses/complete-skeletons.ts';
import { sweepFiles } from '#api/businesses/files/stored-files.ts';
import { settleAddresses } from '#api/businesses/settle-addresses.ts';
import type { Deps } from '#api/deps.ts';
import { forgetDrafts } from '#api/registration/drafts.ts';
import { pause } from '#core/kernel/pause.ts';

/** How often each chore is done, in milliseconds. */
const EVERY = 60_000;

const chores = {
  'sweep-files': sweepFiles,
  'settle-held-back': settleHeldBack,
  'settle-addresses': settleAddresses,
  'complete-skeletons': completeSkeletons,
  'forget-drafts': forgetDrafts,
} as const;

/**
 * Does what must be done by and by, in every process that works behind the scenes: chores bear being done by two at once.
 * One that fails is tried again the next time. `stop` lets the one at work finish.
 */
export function startHousekeeping(deps: Deps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = keepHouse(deps, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function keepHouse(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const [chore, run] of Object.entries(chores)) {
      if (signal.aborted) return;
      await run(deps).catch((error: unknown) => {
        deps.logger.warn({ event: 'chore-failed', chore, error: (error as Error).name });
      });
    }
    await pause(EVERY, signal);
  }
}
