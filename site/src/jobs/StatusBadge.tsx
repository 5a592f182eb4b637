import {
  daysWaiting,
  heldBadge,
  hidesContact,
  isUnfinished,
  type JobStatus,
} from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { product } from '#core/values/product.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';

/** The job's status by icon, word and tint; a work order that waits shows where it comes from instead. */
export function StatusBadge({ job }: { job: Pick<JobCardView, 'status' | 'type'> }) {
  if (job.status === 'Pending' && job.type === 'WorkOrder') {
    return (
      <span className="badge badge--work">
        <Icon name="ute" />
        <span>{statusInWords(job)}</span>
      </span>
    );
  }
  const { tone, icon } = statusAppearance[job.status];
  return (
    <span className="badge" data-status={tone}>
      <Icon name={icon} />
      <span>{job.status}</span>
    </span>
  );
}

type SignProps = Readonly<{
  job: Pick<JobCardView, 'status' | 'type'>;
  /** Whether the status stands beside it in words. */
  isNamed?: boolean;
}>;

/** The status as a tinted sign, with its words for screen readers unless they stand beside it. */
export function StatusIcon({ job, isNamed = false }: SignProps) {
  const { tone, icon } = statusAppearance[job.status];
  return (
    <span className="dot-icon" data-status={tone}>
      <Icon name={icon} />
      {!isNamed && <span className="sr">{statusInWords(job)}</span>}
    </span>
  );
}

/** The words of the badge: the status, or of a work order that waits where it comes from. */
export function statusInWords({ status, type }: Pick<JobCardView, 'status' | 'type'>): string {
  return status === 'Pending' && type === 'WorkOrder' ? `New from ${product.name}` : status;
}

type Watched = Pick<
  JobCardView,
  'status' | 'createdAt' | 'noLongerNeededAt' | 'heldFor' | 'removalAskedAt' | 'erasureDueAt'
>;

/** That the customer asks for the removal of their details, or needs the job no more, that the tradie was not alerted to it, or for how long it has waited for an answer. Nothing for most jobs. */
export function AttentionBadge({ job, now = new Date() }: { job: Watched; now?: Date }) {
  if (job.removalAskedAt && !job.erasureDueAt && !hidesContact(job.status)) {
    return (
      <span className="badge badge--attention">
        <Icon name="user-round" />
        <span>Asks for removal</span>
      </span>
    );
  }
  if (job.noLongerNeededAt !== null && isUnfinished(job.status)) {
    return (
      <span className="badge badge--attention">
        <Icon name="ban" />
        <span>No longer needed</span>
      </span>
    );
  }
  if (job.heldFor !== null) {
    return (
      <span className="badge badge--attention">
        <Icon name="shield" />
        <span>{heldBadge}</span>
      </span>
    );
  }
  const days = daysWaiting(job, now);
  if (days === 0) return null;
  return (
    <span className="badge badge--attention">
      <Icon name="calendar-clock" />
      <span>{`Waiting ${days === 1 ? '1 day' : `${days} days`}`}</span>
    </span>
  );
}

export function UrgentFlag() {
  return (
    <span className="urgent">
      <Icon name="siren" />
      <span>Urgent</span>
    </span>
  );
}

/** How a status is shown: `tone` picks the colours (`data-status`), `icon` the sign beside the label. */
export const statusAppearance: Record<JobStatus, Readonly<{ tone: string; icon: IconName }>> = {
  Pending: { tone: 'pending', icon: 'inbox' },
  Rejected: { tone: 'rejected', icon: 'circle-x' },
  'To quote': { tone: 'to-quote', icon: 'ruler' },
  'In progress': { tone: 'in-progress', icon: 'hammer' },
  Quoted: { tone: 'quoted', icon: 'file-check' },
  Completed: { tone: 'completed', icon: 'circle-check-big' },
  'Invoice sent': { tone: 'invoice-sent', icon: 'send' },
  Paid: { tone: 'paid', icon: 'circle-dollar-sign' },
  Unsuccessful: { tone: 'unsuccessful', icon: 'ban' },
};
