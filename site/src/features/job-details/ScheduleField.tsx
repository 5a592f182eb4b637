import { useStore } from '@nanostores/react';
import { hidesContact } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { ScheduleButton } from '#site/ui/schedule/ScheduleButton.tsx';
import { $changing, changeOnPanel } from './change-job-store.ts';

/** When the job is, to be chosen once it is accepted and for as long as it has not failed. */
export function ScheduleField({ job, timeZone }: { job: JobView; timeZone: string }) {
  const wanted = useStore($changing, { keys: [job.id], ssr: 'initial' })[job.id];
  const reason = whyUnavailable(job);
  const shown = wanted?.scheduledAt === undefined ? job.scheduledAt : wanted.scheduledAt;
  const change = (scheduledAt: string | null) => {
    if (scheduledAt !== shown) void changeOnPanel(job.id, { scheduledAt });
  };
  return (
    <ScheduleButton
      label="Schedule"
      scheduledAt={shown}
      timeZone={timeZone}
      onChange={change}
      {...(reason ? { unavailable: reason } : {})}
    />
  );
}

function whyUnavailable({ status }: JobView): string | null {
  if (status === 'Unsuccessful') return 'Not available for unsuccessful jobs';
  return hidesContact(status) ? 'Take on the job to schedule it' : null;
}
