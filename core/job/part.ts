import type { Command } from '#core/kernel/decider.ts';
import type { DeclaredEvents, Event, EventOf } from '#core/kernel/event.ts';

/** Every command names the business that gives it: a job of another business is not found. */
export type OfJob = Readonly<{ jobId: string; businessId: string }>;

/**
 * A change by a tradie who looked at the revision `ifUnchangedSince`: what would overwrite a part of the job that was changed
 * since is refused. Without it the last change wins.
 */
export type Change = OfJob & Readonly<{ ifUnchangedSince?: number | undefined }>;

/** What of a job names it. */
export type JobIds = Readonly<{ id: string; businessId: string }>;

/** What each of a job's events begins with. */
export const idsOf = (job: JobIds) => ({ jobId: job.id, businessId: job.businessId });

/** For each command of a part what follows from it for a job that is there, or a refusal. `Job` is what it has to know. */
export type Handlers<C extends Command, Job, E extends Event> = {
  readonly [Type in C['type']]: (job: Job, command: Extract<C, { type: Type }>) => E[];
};

/** For each event of a part what it changes of `Job`; `revision` is the event's own. */
export type Evolve<Events extends DeclaredEvents, Job, Changed = Job> = {
  readonly [Type in keyof Events & string]: (
    data: EventOf<Events, Type>['data'],
    job: Job,
    revision: number,
  ) => Partial<Changed>;
};

/** Of an event that changes nothing. */
export const unchanged = () => ({});
