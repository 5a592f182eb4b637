import { type DeclaredEvent, id, instant } from '#core/kernel/event.ts';

/** The parts of a job whose value two people can change at once without conflict, and whose changes can be taken back. */
export const changeableParts = ['status', 'schedule', 'notes'] as const;
export type ChangeablePart = (typeof changeableParts)[number];

/** The events of a part of a job, and the parts whose value each `changes`. */
export type PartEvents = Readonly<
  Record<string, DeclaredEvent & Readonly<{ changes: readonly ChangeablePart[] }>>
>;

/** What each event of a job begins with. */
export const ofJob = { jobId: id, businessId: id } as const;

/** A change was taken back; `undone` is the revision of that change's last event. */
export const undo = { undone: 'number.integer >= 0', restoredAt: instant } as const;

/** Whose personal fields those of a job's events are: what a customer or the tradie wrote belongs to the customer. */
export const customer = ({ jobId }: Readonly<{ jobId: string }>) => `customer-${jobId}`;
