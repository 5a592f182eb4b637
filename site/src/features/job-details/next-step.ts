import type { JobStatus, WorkingStatus } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import type { IconName } from '#site/ui/icons.ts';

/** What the main button of a job does. `isPlain`: nothing is the likely next, so it is no button in the sun's colour. */
export type NextStep = Readonly<{ label: string; icon: IconName; isPlain?: true }> &
  (
    | Readonly<{ kind: 'accept' | 'schedule' | 'choose-status' | 'record' }>
    | Readonly<{ kind: 'status'; status: WorkingStatus }>
  );

/** The status that usually comes after one; null where none does. */
export function likelyStatus(status: JobStatus): WorkingStatus | null {
  const after: Partial<Record<JobStatus, WorkingStatus>> = {
    'To quote': 'Quoted',
    Quoted: 'In progress',
    'In progress': 'Completed',
    Completed: 'Invoice sent',
    'Invoice sent': 'Paid',
  };
  return after[status] ?? null;
}

/** The one step that a job of this status usually takes next. A job without a time is given one before it is quoted. */
export function nextStep({ status, scheduledAt }: Pick<JobView, 'status' | 'scheduledAt'>): NextStep {
  switch (status) {
    case 'Pending':
    case 'Rejected':
      return { kind: 'accept', label: 'Accept', icon: 'check' };
    case 'To quote':
      return scheduledAt === null
        ? { kind: 'schedule', label: 'Set a time', icon: 'calendar' }
        : { kind: 'status', status: 'Quoted', label: 'Mark quoted', icon: 'file-check' };
    case 'Quoted':
      return { kind: 'status', status: 'In progress', label: 'Start the job', icon: 'hammer' };
    case 'In progress':
      return { kind: 'status', status: 'Completed', label: 'Mark completed', icon: 'check' };
    case 'Completed':
      return { kind: 'status', status: 'Invoice sent', label: 'Invoice sent', icon: 'send' };
    case 'Invoice sent':
      return { kind: 'status', status: 'Paid', label: 'Paid', icon: 'circle-dollar-sign' };
    case 'Paid':
      return { kind: 'record', label: 'Print record', icon: 'printer', isPlain: true };
    case 'Unsuccessful':
      return { kind: 'choose-status', label: 'Change status', icon: 'refresh-cw', isPlain: true };
    default:
      return status satisfies never;
  }
}
