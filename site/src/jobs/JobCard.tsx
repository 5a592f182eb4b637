import { hidesContact } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { formatPhone } from '#core/values/contact.ts';
import { truncate } from '#core/values/text.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { AnswerButtons } from './AnswerButtons.tsx';
import { directionsTo } from './directions.ts';
import { ScheduleStrip } from './ScheduleStrip.tsx';
import { AttentionBadge, StatusBadge, UrgentFlag } from './StatusBadge.tsx';

/** One job of a list. The Details link covers the card; the other buttons sit above it. */
export function JobCard({ job, timeZone }: { job: JobCardView; timeZone: string }) {
  const isHidden = hidesContact(job.status);
  return (
    <article className="card job" aria-label={job.title} data-job={job.id}>
      <div className="job__top">
        <StatusBadge job={job} />
        {job.isUrgent && <UrgentFlag />}
        <AttentionBadge job={job} />
      </div>
      <h3 className="job__title">
        {job.type === 'WorkOrder' && job.status !== 'Pending' && <Icon name="ute" />}
        <span>{truncate(job.title)}</span>
      </h3>
      <ScheduleStrip scheduledAt={job.scheduledAt} timeZone={timeZone} />
      <div className="info-rows">
        <p className="info-row">
          <Icon name="map-pin" />
          <span>{job.location.address}</span>
        </p>
        <ContactFacts job={job} />
      </div>
      <div className="job__actions job__actions--3">
        <a
          className="btn btn--quiet job__more"
          data-after-answer
          href={`/jobs/details/${job.id}`}
          aria-label={`Details of ${job.title}`}
        >
          Details
        </a>
        {isHidden ? (
          <AnswerButtons job={job} />
        ) : (
          <>
            <a
              className="btn btn--secondary"
              href={directionsTo(job.location)}
              aria-label={`Directions to ${job.title}`}
            >
              Directions
            </a>
            <CallLink job={job} />
          </>
        )}
      </div>
    </article>
  );
}

/** Phone and email as text, so that a scroll never dials; a lock while the server withholds them. */
export function ContactFacts({ job }: { job: JobCardView }) {
  if (hidesContact(job.status)) {
    return (
      <p className="info-row info-row--locked">
        <Icon name="lock" />
        <span>Accept to see phone and email</span>
      </p>
    );
  }
  return (
    <>
      {job.phone && (
        <p className="info-row num">
          <Icon name="phone" />
          <span>{formatPhone(job.phone)}</span>
        </p>
      )}
      {job.email && (
        <p className="info-row">
          <Icon name="mail" />
          <span>{job.email}</span>
        </p>
      )}
    </>
  );
}

/** Dials the customer (E.164). Nothing where there is no phone to show. */
export function CallLink({ job, variant = 'btn--secondary' }: { job: JobCardView; variant?: string }) {
  if (!job.phone) return null;
  return (
    <a className={`btn ${variant}`} href={`tel:${job.phone}`} aria-label={`Call about ${job.title}`}>
      <Icon name="phone" />
      Call
    </a>
  );
}
