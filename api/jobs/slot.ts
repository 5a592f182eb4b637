import { InvalidInputError } from '#core/kernel/errors.ts';
import { slotProblem } from '#core/values/job-slot.ts';

/** Throws InvalidInputError unless a job can be scheduled then: a slot of the business's day, from now on. */
export function assertSlot(scheduledAt: string | null, when: { timeZone: string; now: Date }): void {
  if (scheduledAt === null) return;
  const problem = slotProblem(new Date(scheduledAt), when.timeZone, when.now);
  if (problem) throw new InvalidInputError('Please check what you entered', { scheduledAt: problem });
}
