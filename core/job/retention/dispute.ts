import { type Event, eventGuard } from '#core/kernel/event.ts';
import { type Dispute, retentionEvents } from './events.ts';

const { JobDisputeOpened, JobDisputeClosed } = retentionEvents;
const isAboutDispute = eventGuard({ JobDisputeOpened, JobDisputeClosed });

/** The dispute after one more event. */
export function disputeAfter(dispute: Dispute, event: Event): Dispute {
  if (!isAboutDispute(event)) return dispute;
  if (event.type === 'JobDisputeClosed') return null;
  return { until: event.data.until, reason: event.data.reason };
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
