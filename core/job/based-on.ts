import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { JobCommand } from './commands.ts';
import { jobDecider } from './decider.ts';
import { isJobEvent, type JobEvent, type JobPart, partsOf } from './events.ts';
import type { JobState } from './state.ts';

/** A job, and the revision at which each part of it last changed. */
export type TrackedJob = Readonly<{ job: JobState; changedAt: Readonly<Partial<Record<JobPart, number>>> }>;

/**
 * The life of a job for somebody who looks at revision `base`: what would overwrite a part that changed since throws
 * `ConflictError`, other parts change beside each other. Without a base the last one wins.
 */
export function jobDeciderBasedOn(base: number | undefined): Decider<TrackedJob, JobCommand, JobEvent> {
  return {
    initialState: { job: jobDecider.initialState, changedAt: {} },
    owns: isJobEvent,
    decide(command, { job, changedAt }) {
      const events = jobDecider.decide(command, job);
      const changing = events.flatMap(partsOf);
      if (base !== undefined && changing.some((part) => (changedAt[part] ?? 0) > base)) {
        throw new ConflictError('This job was changed in the meantime, please have a look first');
      }
      return events;
    },
    evolve({ job, changedAt }, event) {
      const next = jobDecider.evolve(job, event);
      const now = partsOf(event).map((part) => [part, next?.revision ?? 0]);
      return { job: next, changedAt: { ...changedAt, ...Object.fromEntries(now) } };
    },
  };
}
