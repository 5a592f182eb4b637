import { useStore } from '@nanostores/react';
import { hidesContact } from '#core/job/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { $session } from '#site/lib/session-store.ts';
import { AnswerButtons } from './AnswerButtons.tsx';
import { BackLink } from './BackLink.tsx';
import { ContactDetails } from './ContactDetails.tsx';
import { consumerDetails, type Detail } from './consumer-details.ts';
import { $jobCards } from './job-cards-store.ts';
import { StatusBadge, UrgentFlag } from './StatusBadge.tsx';
import { WhenStrip } from './WhenStrip.tsx';

/** One job in full: who and where first, then what it is about. */
export function JobDetails({ job: loaded }: { job: JobView }) {
  const answered = useStore($jobCards, { keys: [loaded.id], ssr: 'initial' })[loaded.id];
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const job = answered && answered.revision > loaded.revision ? { ...loaded, ...answered } : loaded;
  const isWaiting = hidesContact(job.status);
  const details: Detail[] = job.workOrderDetails
    ? [{ label: 'Description', text: job.workOrderDetails.description }]
    : consumerDetails(job);
  return (
    <div data-job={job.id}>
      <div className="detail__head">
        <BackLink />
        <div className="detail__tags">
          <StatusBadge job={job} />
          {job.isUrgent && <UrgentFlag />}
        </div>
        <h1 data-after-answer tabIndex={-1}>
          {job.title}
        </h1>
        {timeZone && <WhenStrip scheduledAt={job.scheduledAt} timeZone={timeZone} />}
      </div>
      <div className="detail__cols">
        <div className="detail__main">
          <ContactDetails job={job} />
          {details.length > 0 && (
            <DetailList title={job.workOrderDetails ? 'Work order' : 'Job details'} details={details} />
          )}
        </div>
        <div className="detail__side">
          {isWaiting && (
            <section className="card side-panel" aria-labelledby="answer">
              <h2 id="answer">Your answer</h2>
              <div className="job__actions">
                <AnswerButtons job={job} />
              </div>
            </section>
          )}
          {job.notes && (
            <section className="card detail__notes" aria-labelledby="notes">
              <h2 id="notes">Notes</h2>
              <p className="as-typed">{job.notes}</p>
            </section>
          )}
          <Documents media={job.media} />
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
        {details.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="as-typed">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Documents({ media }: Pick<JobView, 'media'>) {
  if (media.length === 0) return null;
  return (
    <section className="card detail__docs" aria-labelledby="documents">
      <h2 id="documents">Uploaded documents</h2>
      <div className="files">
        {media.map(({ url, name }) => (
          <a key={url} className="file" href={url}>
            <span className="file__name">{name}</span>
          </a>
        ))}
      </div>
    </section>
  );
}
