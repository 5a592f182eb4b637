import type { JobStatus } from '#core/job/statuses.ts';
import type { IconName } from '#site/ui/icons.ts';

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
