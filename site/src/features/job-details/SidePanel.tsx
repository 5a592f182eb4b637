import type { JobView } from '#core/job/view.ts';
import { NotesField } from './NotesField.tsx';
import { ScheduleField } from './ScheduleField.tsx';
import { StatusField } from './StatusField.tsx';

/** What the tradie changes as the work goes on. */
export function SidePanel({ job, timeZone }: { job: JobView; timeZone: string }) {
  return (
    <section className="card side-panel" aria-label="Work on this job">
      <StatusField job={job} />
      <ScheduleField job={job} timeZone={timeZone} />
      <NotesField key={job.id} job={job} timeZone={timeZone} />
    </section>
  );
}
