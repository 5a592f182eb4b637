import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { AcceptJob, RejectJob } from './commands.ts';
import { jobDecider, ownJob } from './decider.ts';
import type { JobEvent } from './events.ts';
import type { JobState } from './state.ts';

export const answeredAlreadyMessage = 'This job was answered already';
export const notNeededMessage = 'The customer no longer needs this job';

/**
 * The life of a job for somebody who answers from a message that may be days old: only what still waits can be answered.
 * Throws `ConflictError` for a job that was answered meanwhile or is no longer needed.
 */
export const pendingJobDecider: Decider<JobState, AcceptJob | RejectJob, JobEvent> = {
  ...jobDecider,
  decide(command, state) {
    const job = ownJob(command, state);
    if (job.status !== 'Pending') throw new ConflictError(answeredAlreadyMessage);
    if (job.noLongerNeededAt !== null) throw new ConflictError(notNeededMessage);
    return jobDecider.decide(command, state);
  },
};
