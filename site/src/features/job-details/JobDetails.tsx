import { useStore } from '@nanostores/react';
import { heldWords, hidesContact } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { AnswerButtons } from '#site/jobs/AnswerButtons.tsx';
import { JobHistory } from '#site/jobs/history/JobHistory.tsx';
import { JobPhotos } from '#site/jobs/photos/JobPhotos.tsx';
import { ScheduleStrip } from '#site/jobs/ScheduleStrip.tsx';
import { AttentionBadge, StatusBadge, UrgentFlag } from '#site/jobs/StatusBadge.tsx';
import { $session } from '#site/lib/session/session-store.ts';
import { ScheduleButton } from '#site/ui/schedule/ScheduleButton.tsx';
import { BackLink } from './BackLink.tsx';
import { ContactDetails } from './ContactDetails.tsx';
import { $changing, changeOnPanel } from './change-job-store.ts';
import { consumerDetails, type Detail, workOrderDetails } from './consumer-details.ts';
import { NotesField } from './NotesField.tsx';
import { StatusField } from './StatusField.tsx';

/** One job in full: who and where first, then what it is about. */
export function JobDetails({ job }: { job: JobView }) {
  const user = useStore($session, { ssr: () => null })?.user;
  const timeZone = user?.timeZone;
  const isWaiting = hidesContact(job.status);
  const details: readonly Detail[] = job.workOrderDetails
    ? workOrderDetails(job)
    : consumerDetails(job, user?.region ?? null);
  return (
    <div data-job={job.id}>
      <div className="detail__head">
        <BackLink />
        <div className="detail__tags">
          <StatusBadge job={job} />
          {job.isUrgent && <UrgentFlag />}
          <AttentionBadge job={job} />
        </div>
        <h1 data-after-answer tabIndex={-1}>
          {job.title}
        </h1>
        {timeZone && <ScheduleStrip scheduledAt={job.scheduledAt} timeZone={timeZone} />}
      </div>
      <div className="detail__cols">
        <div className="detail__main">
          <ContactDetails job={job} />
          {details.length > 0 && (
            <DetailList title={job.workOrderDetails ? 'Work order' : 'Job details'} details={details} />
          )}
          {timeZone && <JobHistory jobId={job.id} timeZone={timeZone} />}
        </div>
        <div className="detail__side">
          {isWaiting && (
            <section className="card side-panel side-panel--answer" aria-labelledby="answer">
              <h2 id="answer">Your answer</h2>
              {job.heldFor !== null && <p>{heldWords[job.heldFor]}</p>}
              <div className="job__actions">
                <AnswerButtons job={job} />
              </div>
            </section>
          )}
          {timeZone && <SidePanel job={job} timeZone={timeZone} />}
          <JobPhotos job={job} timeZone={timeZone} />
        </div>
      </div>
    </div>
  );
}

function DetailList({ title, details }: { title: string; details: readonly Detail[] }) {
  return (
    <section className="card detail__job" aria-labelledby="about">
      <h2 id="about">{title}</h2>
      <dl className="defs">
        {details.map(({ label, text, href }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="as-typed">{href ? <a href={href}>{text}</a> : text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What the tradie changes as the work goes on. */
function SidePanel({ job, timeZone }: { job: JobView; timeZone: string }) {
  return (
    <section className="card side-panel" aria-label="Work on this job">
      <StatusField job={job} />
      <ScheduleField job={job} timeZone={timeZone} />
      <NotesField key={job.id} job={job} timeZone={timeZone} />
    </section>
  );
}

/** When the job is, to be chosen once it is accepted and for as long as it has not failed. */
function ScheduleField({ job, timeZone }: { job: JobView; timeZone: string }) {
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
