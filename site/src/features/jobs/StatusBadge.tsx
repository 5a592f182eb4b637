import type { JobCardView } from '#core/job/view.ts';
import { product } from '#core/values/product.ts';
import { Icon } from '#site/components/ui/Icon.tsx';
import { statusLook } from './status-look.ts';

/** The job's status by icon, word and tint; a work order that waits says where it comes from instead. */
export function StatusBadge({ job }: { job: Pick<JobCardView, 'status' | 'type'> }) {
  if (job.status === 'Pending' && job.type === 'WorkOrder') {
    return (
      <span className="badge badge--work">
        <Icon name="ute" />
        New from {product.name}
      </span>
    );
  }
  const { tone, icon } = statusLook[job.status];
  return (
    <span className="badge" data-status={tone}>
      <Icon name={icon} />
      {job.status}
    </span>
  );
}

export function UrgentFlag() {
  return (
    <span className="urgent">
      <Icon name="siren" />
      Urgent
    </span>
  );
}
