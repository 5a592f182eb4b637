import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { heldWords, isUnfinished } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { Age } from '#site/jobs/Age.tsx';
import { AnswerButtons } from '#site/jobs/AnswerButtons.tsx';
import { wishedTimeOf } from '#site/jobs/consumer-details.ts';
import { JobHistory } from '#site/jobs/history/JobHistory.tsx';
import { JobPhotos } from '#site/jobs/photos/JobPhotos.tsx';
import { ScheduleStrip } from '#site/jobs/ScheduleStrip.tsx';
import { AttentionBadge, StatusBadge, UrgentFlag } from '#site/jobs/StatusBadge.tsx';
import { Who } from '#site/jobs/Who.tsx';
import { $session } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { AboutJob } from './AboutJob.tsx';
import { BackLink } from './BackLink.tsx';
import { ContactDetails, TellCustomer } from './ContactDetails.tsx';
import { CustomerRequests } from './CustomerRequests.tsx';
import { HeadControls, JobBar } from './JobControls.tsx';
import { WorkPanel } from './WorkPanel.tsx';

/**
 * One job in full. While it waits for an answer it is a lead: what the customer wrote comes first, and nothing is drawn that
 * cannot be used yet. After that the work on it comes first.
 */
export function JobDetails({ job }: { job: JobView }) {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const [opened, setOpened] = useState<'schedule' | 'status' | null>(null);
  const isLead = job.status === 'Pending';
  return (
    <div className={isLead ? 'jd jd--lead' : 'jd'} data-job={job.id}>
      <div className="jd__head">
        <BackLink />
        <div className="jd__tags">
          <StatusBadge job={job} />
          {job.isUrgent && <UrgentFlag />}
          <AttentionBadge job={job} />
          {isLead && timeZone && <Age at={job.createdAt} timeZone={timeZone} />}
        </div>
        <h1 data-after-answer tabIndex={-1}>
          {job.title}
        </h1>
        <Who job={job} />
        {timeZone && (
          <div className="only-xs jd__when">
            <When job={job} timeZone={timeZone} />
          </div>
        )}
        {!isLead && <HeadControls job={job} onOpen={setOpened} />}
      </div>
      <div className="jd__cols">
        <div className="jd__main">
          <CustomerRequests job={job} />
          <JobPhotos job={job} timeZone={timeZone} className="jd__photos" />
          <AboutJob job={job} />
          {timeZone && <JobHistory job={job} timeZone={timeZone} />}
        </div>
        <div className="jd__side">
          {isLead && <AnswerCard job={job} timeZone={timeZone} />}
          {!isLead && timeZone && (
            <WorkPanel
              job={job}
              timeZone={timeZone}
              opened={opened}
              onOpen={setOpened}
              onClose={() => setOpened(null)}
            />
          )}
          <TellCustomer job={job} />
          <ContactDetails job={job} />
        </div>
      </div>
      <JobBar job={job} onOpen={setOpened} />
    </div>
  );
}

/** The lead's answer on a laptop, beside what it is about; on a phone the line of its status alone, as the bar has the rest. */
function AnswerCard({ job, timeZone }: { job: JobView; timeZone: string | undefined }) {
  return (
    <section
      className={job.heldFor === null ? 'card jd__answer' : 'card jd__answer jd__answer--held'}
      aria-labelledby="answer"
    >
      <h2 id="answer" className="sr">
        Your answer
      </h2>
      {timeZone && (
        <div className="only-lg">
          <When job={job} timeZone={timeZone} />
        </div>
      )}
      {job.heldFor !== null && (
        <div className="alert alert--info">
          <Icon name="info" />
          <p>{heldWords[job.heldFor]}</p>
        </div>
      )}
      <div className="answer2 only-lg">
        <AnswerButtons job={job} />
      </div>
      <button className="stateline" type="button" disabled>
        <Icon name="inbox" />
        <span>
          Job status <b>Pending</b> until you answer
        </span>
      </button>
    </section>
  );
}

/** When the job is; before that is set and while it is to be done, when the customer would like it. */
function When({ job, timeZone }: { job: JobView; timeZone: string }) {
  const wished = wishedTimeOf(job);
  if (job.scheduledAt === null && wished && isUnfinished(job.status)) {
    const isToday = /^today\b/i.test(wished);
    return (
      <p className={isToday ? 'schedule-strip schedule-strip--today' : 'schedule-strip'}>
        <Icon name="calendar-clock" />
        <span className="jd__wish">Would like</span>
        <b>{wished}</b>
      </p>
    );
  }
  if (job.scheduledAt === null && (job.status === 'Pending' || !isUnfinished(job.status))) return null;
  return <ScheduleStrip scheduledAt={job.scheduledAt} timeZone={timeZone} />;
}
