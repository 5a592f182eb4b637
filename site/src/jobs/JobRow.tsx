import './job-row.css';
import { useStore } from '@nanostores/react';
import { hidesContact, isUnfinished } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { truncate } from '#core/values/text.ts';
import { formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { AnswerButtons } from './AnswerButtons.tsx';
import { $minute, Age, PictureCount, PlaceParts } from './CardParts.tsx';
import { useWaiting } from './changes/changes-store.ts';
import { Contact, DirectionsLink } from './JobCard.tsx';
import { isPast, isSetAside, jobLabel, scheduleInWords } from './job-words.ts';
import { AttentionBadge, StatusIcon, statusAppearance, statusInWords, UrgentFlag } from './StatusBadge.tsx';

type Props = Readonly<{
  job: JobCardView;
  timeZone: string;
  /** What the row begins with: its time under the heading of a day, its status where jobs of all days stand together. */
  lead?: 'time' | 'status';
  /** Whether the row says in words when the job is and what its status is, where no heading does. */
  withWhen?: boolean;
  withStatus?: boolean;
  /** The street as well as the suburb. */
  withStreet?: boolean;
  /** Since when the job waits. */
  withAge?: boolean;
  /** Whether a job that waits can be answered here. */
  withAnswer?: boolean;
  /** The job that the tradie goes to next. */
  isNow?: boolean;
}>;

/** A job in a line, with the way there and the call one tap away. The name's link covers it; the other controls lie above. */
export function JobRow({ job: known, timeZone, lead = 'time', ...options }: Props) {
  const waiting = useWaiting(known.id);
  const job = { ...known, ...waiting?.job };
  const { withWhen = lead === 'status', withStatus = lead === 'status', withAnswer, isNow } = options;
  const now = new Date(useStore($minute));
  const { scheduledAt, status } = job;
  const isLead = hidesContact(status);
  const isUrgent = job.isUrgent && !isSetAside(job);
  return (
    <article
      className={['jrow', isPast(job, now) && 'jrow--past', isNow && 'is-now'].filter(Boolean).join(' ')}
      aria-label={jobLabel(job)}
      data-job={job.id}
      data-waiting={(status === 'Pending' && !waiting) || undefined}
    >
      <div className={`jrow__main jrow__main--${lead}`}>
        <div className="jrow__lead">
          {lead === 'time' && scheduledAt && (
            <time className="jrow__time" dateTime={scheduledAt}>
              {formatTime(scheduledAt, timeZone)}
            </time>
          )}
          {lead === 'status' && <StatusIcon job={job} isNamed={withStatus} />}
          {lead === 'time' && isUrgent && <UrgentFlag />}
        </div>
        <div className="jrow__body">
          <a
            className="jrow__name"
            data-after-answer
            href={`/jobs/details/${job.id}`}
            aria-label={jobLabel(job)}
          >
            {job.type === 'WorkOrder' && status !== 'Pending' && <Icon name="ute" />}
            <span>{job.name}</span>
          </a>
          <p className="jrow__what">{truncate(job.title)}</p>
          <p className="jrow__meta">
            <PlaceParts location={job.location} withStreet={options.withStreet} />
            {options.withAge && <Age at={job.createdAt} timeZone={timeZone} />}
            {withWhen && (scheduledAt || !options.withAge) && (
              <span className="num">{scheduleInWords(scheduledAt, timeZone, now)}</span>
            )}
            {withStatus && <span className="jrow__status">{statusInWords(job)}</span>}
            {lead === 'time' && !isUnfinished(status) && <StatusWord job={job} />}
            {lead === 'time' && status === 'Pending' && <span className="jrow__status">Waiting on you</span>}
            {waiting && <waiting.Sign jobId={job.id} withWhen />}
            <PictureCount pictures={job.pictures} />
          </p>
          <Contact job={job} isForReaders />
          <div className="jrow__tags">
            {lead === 'status' && isUrgent && <UrgentFlag />}
            <AttentionBadge job={job} />
          </div>
        </div>
      </div>
      <div className="jrow__do">
        <DirectionsLink job={job} />
        {job.phone && (
          <a
            className="btn btn--secondary btn--icon"
            href={`tel:${job.phone}`}
            aria-label={`Call ${job.name}`}
          >
            <Icon name="phone" />
          </a>
        )}
      </div>
      {withAnswer && isLead && (
        <div className="jrow__answer">
          <AnswerButtons job={job} size="btn--sm" />
        </div>
      )}
    </article>
  );
}

/** The status of work that is done, with its sign. */
function StatusWord({ job }: Pick<Props, 'job'>) {
  return (
    <span className="jrow__status">
      <Icon name={statusAppearance[job.status].icon} />
      <span>{job.status}</span>
    </span>
  );
}

/** A row whose job is on its way. */
export function JobRowSkeleton() {
  return (
    <div className="jrow">
      <div className="jrow__main jrow__main--time">
        <div className="jrow__lead">
          <span className="sk sk--time" />
        </div>
        <div className="jrow__body">
          <span className="sk sk--line" />
          <span className="sk sk--line" />
          <span className="sk sk--info-row" />
        </div>
      </div>
      <div className="jrow__do">
        <span className="sk sk--block sk--call" />
        <span className="sk sk--block sk--call" />
      </div>
    </div>
  );
}
