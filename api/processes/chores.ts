import { settleHeldBack } from '#api/accounts/contact/email-confirmation.ts';
import { sealFiles } from '#api/businesses/files/seal-files.ts';
import { sweepFiles } from '#api/businesses/files/stored-files.ts';
import type { Deps } from '#api/deps.ts';
import { queueWeeklyRecords } from '#api/messages/kinds/subscriptions.ts';
import type { ErasureDeps } from '#api/privacy/carry-out.ts';
import { isClockTrusted } from '#api/privacy/clock-trust.ts';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { retainNightly } from '#api/privacy/retention/run.ts';
import { followRequests } from '#api/privacy/your-details/removal-requests.ts';
import { forgetDrafts } from '#api/registration/drafts.ts';
import { pause } from '#core/kernel/pause.ts';
import type { ProcessDeps } from './process.ts';

export type ChoreDeps = ProcessDeps &
  Pick<Deps, 'files' | 'subjectKeys'> &
  Readonly<{
    /** With what persons are forgotten. */
    erasing: ErasureDeps;
  }>;

/** What is to be done because time has passed, and no event says so. */
export type Chore = Readonly<{
  /** Kebab-case; stands in logs. */
  name: string;
  /** Bears a repeat, and being run by two processes at once. What fails is tried again the next time. Ends early once `signal` aborts, where it takes long. */
  run(deps: ChoreDeps, signal: AbortSignal): Promise<unknown>;
}>;

/** Everything that the clock starts; decision 060 says why held mail is no process. What follows the log is in `processes.ts`. */
export const chores: readonly Chore[] = [
  { name: 'sweep-files', run: sweepFiles },
  { name: 'seal-files', run: sealFiles },
  { name: 'settle-held-back', run: settleHeldBack },
  { name: 'forget-drafts', run: forgetDrafts },
  { name: 'queue-weekly-records', run: queueWeeklyRecords },
  {
    name: 'follow-removal-requests',
    run: ({ db, messages, erasing }) => followRequests({ ...erasing, db, ...(messages && { messages }) }),
  },
  {
    name: 'retain-nightly',
    run: async ({ config, erasing }) =>
      (await isClockTrusted(erasing)) && retainNightly({ ...erasing, config }),
  },
];

/** Beside the others, which must not wait for it: a business with many jobs takes minutes. */
export const erasingChore: Chore = {
  name: 'carry-out-erasures',
  run: async ({ erasing: deps }, signal) => (await isClockTrusted(deps)) && carryOutDue({ ...deps, signal }),
};

/** How often all chores are done, one after the other, in milliseconds. */
const EVERY = 60_000;

/** Does the chores in every process that works behind the scenes. `stop` lets the one at work finish. */
export function startChores(deps: ChoreDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = Promise.all([chores, [erasingChore]].map((all) => run(deps, all, stopping.signal)));
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function run(deps: ChoreDeps, all: readonly Chore[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const chore of all) {
      if (signal.aborted) return;
      await chore.run(deps, signal).catch((error: unknown) => {
        deps.logger.warn({ event: 'chore-failed', chore: chore.name, error: (error as Error).name });
      });
    }
    await pause(EVERY, signal);
  }
}
