import type { JobEvent } from '../events.ts';

/** The dispute about a job: nothing of it is erased before `until`, an instant; null: there is none. */
export type Dispute = Readonly<{ until: string; reason: string }> | null;

/** The dispute after one more event. */
export function disputeAfter(dispute: Dispute, event: JobEvent): Dispute {
  if (event.type === 'JobDisputeOpened') return { until: event.data.until, reason: event.data.reason };
  return event.type === 'JobDisputeClosed' ? null : dispute;
}

/** Whether what is known of a job is to stay at a moment because of a dispute. */
export function isDisputed(dispute: Dispute, at: string): boolean {
  return dispute !== null && Date.parse(dispute.until) > Date.parse(at);
}

/** Why a removal is refused while there is a dispute. The day is in UTC: the last one that is whole before the dispute ends. */
export function disputedMessage({ until }: NonNullable<Dispute>): string {
  return `There is a dispute about this job: the customer's details stay until ${until.slice(0, 10)}`;
}

/** The same of a business that the operator keeps from being erased. */
export function heldMessage({ until }: Pick<NonNullable<Dispute>, 'until'>): string {
  return `Nothing of this business is removed until ${until.slice(0, 10)}: there is a hold on it`;
}
