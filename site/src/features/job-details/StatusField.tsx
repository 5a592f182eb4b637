import { useStore } from '@nanostores/react';
import { useSelect } from 'downshift';
import { isWorkingStatus, type JobStatus, workingStatuses } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { useWaiting } from '#site/jobs/changes/changes-store.ts';
import { statusAppearance } from '#site/jobs/StatusBadge.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { ignoreSecondTap } from '#site/ui/screen-store.ts';
import { $changing, changeOnPanel } from './change-job-store.ts';
import { likelyStatus } from './JobControls.tsx';

type Props = Readonly<{ job: JobView; isOpen: boolean; onOpenChange(isOpen: boolean): void }>;

/** The job's status, to be set to any of the seven: a sheet from below on a phone, a list in the card on a laptop. */
export function StatusField({ job, isOpen, onOpenChange }: Props) {
  const wanted = useStore($changing, { keys: [job.id], ssr: 'initial' })[job.id]?.status;
  const waiting = useWaiting(job.id)?.job.status;
  const shown: JobStatus = wanted ?? waiting ?? job.status;
  const select = useSelect<JobStatus>({
    items: [...workingStatuses],
    selectedItem: shown,
    isOpen,
    onIsOpenChange: (change) => onOpenChange(change.isOpen),
    onSelectedItemChange: ({ selectedItem }) => choose(job.id, shown, selectedItem),
  });
  const { htmlFor: _, ...label } = select.getLabelProps();
  return (
    <div className="status-field">
      <button
        className="setrow"
        type="button"
        aria-busy={wanted !== undefined}
        {...select.getToggleButtonProps()}
      >
        <StatusSign status={shown} />
        <span className="setrow__t">
          <small>
            <span {...label}>Job status</span>
            <span>{waiting ? ', waiting to send ' : ' '}</span>
          </small>
          <b>{shown}</b>
        </span>
        <Icon name="chevron-down" />
      </button>
      {isOpen && <div className="status-field__scrim" />}
      <div className="status-field__sheet" hidden={!isOpen}>
        <div className="status-field__head">
          <span>Job status</span>
          <button
            className="btn btn--icon btn--quiet"
            type="button"
            aria-label="Close"
            onClick={() => onOpenChange(false)}
          >
            <Icon name="x" className="icon--lg" />
          </button>
        </div>
        <ul className="listbox" {...select.getMenuProps()}>
          {workingStatuses.map((status, index) => (
            <li
              key={status}
              className="option"
              data-active={index === select.highlightedIndex || undefined}
              {...select.getItemProps({ item: status, index })}
            >
              <StatusSign status={status} />
              <span>{status}</span>
              {status === shown ? (
                <Icon name="check" className="tick" />
              ) : (
                <Consequence status={status} shown={shown} job={job} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** That a status is the likely next, or what choosing it leads to besides. */
function Consequence({ status, shown, job }: { status: JobStatus; shown: JobStatus; job: JobView }) {
  if (status === likelyStatus(shown)) return <small className="option__end">next</small>;
  if (status === 'Unsuccessful' && job.scheduledAt !== null) {
    return <small className="option__end">takes it off the schedule</small>;
  }
  return null;
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
  ignoreSecondTap();
  if (status === shown || !isWorkingStatus(status)) return;
  void changeOnPanel(jobId, status === 'Unsuccessful' ? { status, scheduledAt: null } : { status });
}
