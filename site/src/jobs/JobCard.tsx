import type { Content } from 'react/jsx-runtime';
import './job-card.css';
import { useState } from 'react';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { formatPhone } from '#core/values/phone.ts';
import { truncate } from '#core/values/text.ts';
import { ownRegion } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { AnswerButtons } from './AnswerButtons.tsx';
import { Age, PictureCount, PlaceParts, ScheduleStrip } from './CardParts.tsx';
import { useWaiting } from './changes/changes-store.ts';
import { directionsTo, isPast, isSetAside, jobLabel, scheduleInWords } from './job-words.ts';
import { AttentionBadge, StatusBadge, UrgentFlag } from './StatusBadge.tsx';

type Props = Readonly<{
  job: JobCardView;
  timeZone: string;
  /** The job to answer before the others, which stands out. */
  isNext?: boolean;
  /** The first of its list: its picture is in sight and fetched before other pictures. */
  isFirst?: boolean;
}>;

/** One job of a list: who, where and how far, then what. A job without an answer has the answers, another the way and the call. */
export function JobCard({ job: known, timeZone, isNext = false, isFirst = isNext }: Props) {
  const waiting = useWaiting(known.id);
  const job = { ...known, ...waiting?.job };
  const isLead = hidesContact(job.status);
  const isAside = isSetAside(job);
  return (
    <article
      className={['card job', isLead && 'lead', isAside ? 'lead--aside' : isNext && 'lead--next']
        .filter(Boolean)
        .join(' ')}
      aria-label={jobLabel(job)}
      data-job={job.id}
      data-waiting={(job.status === 'Pending' && !waiting) || undefined}
    >
      <div className="job__top">
        {waiting ? <waiting.Sign jobId={job.id} /> : <StatusBadge job={job} />}
        {job.isUrgent && !isAside && <UrgentFlag />}
        <AttentionBadge job={job} />
        {isLead && !waiting && <Age at={job.createdAt} timeZone={timeZone} />}
      </div>
      {isLead ? (
        <Lead job={job} timeZone={timeZone} isFirst={isFirst} />
      ) : (
        <Work job={job} timeZone={timeZone} />
      )}
    </article>
  );
}

/**
 * With what the customer wrote, and when it suits them. The name's link covers the card; the answers lie above it. Phone and email
 * are withheld by the server, in these texts too.
 */
function Lead({ job, timeZone, isFirst }: Omit<Props, 'isNext'>) {
  const { scheduledAt, preferredTime, words } = job;
  const want = scheduledAt
    ? scheduleInWords(scheduledAt, timeZone, new Date())
    : preferredTime && `Would like: ${preferredTime}`;
  return (
    <>
      <Head job={job} want={want} isFirst={isFirst}>
        <a
          className="lead__open"
          data-after-answer
          href={`/jobs/details/${job.id}`}
          aria-label={jobLabel(job)}
        >
          {job.name}
        </a>
      </Head>
      {words && <p className="job__words">{words}</p>}
      <div className="job__actions">
        <AnswerButtons job={job} path={`/jobs/details/${job.id}`} />
      </div>
    </>
  );
}

/** The link of Details covers the card; the other controls lie above it. */
function Work({ job, timeZone }: Omit<Props, 'isNext' | 'isFirst'>) {
  return (
    <>
      <Head job={job}>{job.name}</Head>
      <ScheduleStrip scheduledAt={job.scheduledAt} timeZone={timeZone} isDone={isPast(job, new Date())} />
      <p className="job__line">{job.location.address}</p>
      <Contact job={job} />
      <div className="job__actions job__actions--go">
        <a
          className="btn btn--secondary job__more"
          data-after-answer
          href={`/jobs/details/${job.id}`}
          aria-label={`Details of ${jobLabel(job)}`}
        >
          Details
        </a>
        <DirectionsLink job={job} />
        {job.phone && (
          <a className="btn btn--secondary" href={`tel:${job.phone}`} aria-label={`Call ${job.name}`}>
            <Icon name="phone" />
            <span>Call</span>
          </a>
        )}
      </div>
    </>
  );
}

type HeadProps = Readonly<{
  job: JobCardView;
  /** For when the job is wanted, in words. */
  want?: string | undefined;
  isFirst?: boolean | undefined;
  children: Content;
}>;

function Head({ job, want, isFirst, children }: HeadProps) {
  const [failed, setFailed] = useState<string>();
  const thumb = hidesContact(job.status) && job.thumb !== failed ? job.thumb : undefined;
  return (
    <div className="job__head">
      {thumb && (
        <img
          className="job__thumb"
          src={thumb}
          alt=""
          width="96"
          height="96"
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          onError={() => setFailed(thumb)}
        />
      )}
      <h3 className="job__name">
        {job.type === 'WorkOrder' && job.status !== 'Pending' && <Icon name="ute" />}
        <span>{children}</span>
      </h3>
      <p className="who job__line">
        <PlaceParts location={job.location} />
        <PictureCount pictures={job.pictures} />
      </p>
      <p className="job__what">{truncate(job.title)}</p>
      {want && (
        <p className="job__want num">
          <Icon name="calendar-clock" />
          <span>{want}</span>
        </p>
      )}
    </div>
  );
}

/** Phone and email as text, so that a scroll never dials. `isForReaders`: for screen readers alone, where a row has no room. */
export function Contact({ job, isForReaders = false }: { job: JobCardView; isForReaders?: boolean }) {
  if (!job.phone && !job.email) return null;
  return (
    <p className={isForReaders ? 'sr' : 'job__line'}>
      {job.phone && <span className="num">{`${formatPhone(job.phone, ownRegion())} `}</span>}
      {job.email && <span>{job.email}</span>}
    </p>
  );
}

/** The way to a job, as an icon. */
export function DirectionsLink({ job }: { job: JobCardView }) {
  if (job.erasedAt) return null;
  return (
    <a
      className="btn btn--secondary btn--icon"
      href={directionsTo(job.location)}
      aria-label={`Directions to ${job.name}`}
    >
      <Icon name="navigation" />
    </a>
  );
}

type JobCardSkeletonProps = Readonly<{
  /** A card with the two answers, instead of one with a time. */
  isLead?: boolean;
}>;

const line = <span className="sk sk--in-line" />;
const button = <span className="sk sk--block sk--button" />;

/** A card whose job is on its way: the same boxes, so that nothing moves when it arrives. */
export function JobCardSkeleton({ isLead = false }: JobCardSkeletonProps) {
  return (
    <div className={isLead ? 'card job lead' : 'card job'} aria-hidden="true">
      <div className="job__top">
        <span className="sk sk--badge" />
      </div>
      <div className="job__head">
        <p className="job__name">{line}</p>
        <p className="job__line">{line}</p>
        <p className="job__what">{line}</p>
      </div>
      {isLead ? (
        // Two lines of the customer's words, which most requests have.
        <p className="job__words">
          {line}
          {line}
        </p>
      ) : (
        <>
          <span className="sk sk--block sk--strip" />
          <p className="job__line">{line}</p>
          <p className="job__line">{line}</p>
        </>
      )}
      <div className="job__actions">
        {button}
        {button}
      </div>
    </div>
  );
}
