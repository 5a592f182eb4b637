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

/** An entry of a history: `Entries` has for each kind what it holds. */
export type EntryOf<Entries> = {
  [What in keyof Entries]: Readonly<{ what: What }> & Entries[What];
}[keyof Entries];

/** For each event of a part its entries in a history, by what the job was before and after it. Of the event with which a job came both are the same. */
export type History<Events extends DeclaredEvents, Job, Entries> = {
  readonly [Type in keyof Events & string]: (
    data: EventOf<Events, Type>['data'],
    before: Job,
    after: Job,
  ) => readonly EntryOf<Entries>[];
};

/** What is left of an entry's values once the customer is erased. */
export type ErasedEntries<Entries> = { readonly [What in keyof Entries]?: Partial<Entries[What]> };

/** The entry of an event that its words say all about. */
export const plainEntry =
  <const What extends string>(what: What) =>
  () => [{ what, from: null, to: null } as const];

export const noEntry = () => [];

/** Of a part that no screen shows by itself. */
export const unseen = {
  begins: unchanged,
  evolve: {},
  erased: {},
  card: unchanged,
  page: unchanged,
} as const;
