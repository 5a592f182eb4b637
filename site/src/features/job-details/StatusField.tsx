import { useStore } from '@nanostores/react';
import { useSelect } from 'downshift';
import { isWorkingStatus, type JobStatus, workingStatuses } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { statusAppearance } from '#site/jobs/status-appearance.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { $changing, changeOnPanel } from './change-job-store.ts';

/** The job's status, to be set to any of the seven; closed while the job waits for an answer. */
export function StatusField({ job }: { job: JobView }) {
  const wanted = useStore($changing, { keys: [job.id], ssr: 'initial' })[job.id]?.status;
  const shown: JobStatus = wanted ?? job.status;
  const isWaiting = job.status === 'Pending';
  const select = useSelect<JobStatus>({
    items: isWaiting ? ['Pending'] : [...workingStatuses],
    selectedItem: shown,
    onSelectedItemChange: ({ selectedItem }) => choose(job.id, shown, selectedItem),
  });
  const items: readonly JobStatus[] = isWaiting ? [] : workingStatuses;
  return (
    <div className="field">
      <span className="field__label" {...select.getLabelProps()}>
        Job status
      </span>
      <div className="combo">
        <button
          className="status-trigger"
          type="button"
          aria-busy={wanted !== undefined}
          {...select.getToggleButtonProps({ disabled: isWaiting })}
        >
          <StatusSign status={shown} />
          <span>{shown}</span>
          <Icon name="chevron-down" />
        </button>
        <ul className="listbox" {...select.getMenuProps()} hidden={!select.isOpen}>
          {items.map((status, index) => (
            <li
              key={status}
              className="option"
              data-active={index === select.highlightedIndex || undefined}
              {...select.getItemProps({ item: status, index })}
            >
              <StatusSign status={status} />
              {status}
              {status === shown && <Icon name="check" className="tick" />}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function StatusSign({ status }: { status: JobStatus }) {
  const { tone, icon } = statusAppearance[status];
  return (
    <span className="dot-icon" data-status={tone}>
      <Icon name={icon} />
    </span>
  );
}

/** A job that did not work out leaves the schedule. */
function choose(jobId: string, shown: JobStatus, status: JobStatus | null): void {
  if (status === shown || !isWorkingStatus(status)) return;
  void changeOnPanel(jobId, status === 'Unsuccessful' ? { status, scheduledAt: null } : { status });
}
