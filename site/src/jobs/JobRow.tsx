import { hidesContact } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { truncate } from '#core/values/text.ts';
import { dayKey, formatDay, formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { AnswerButtons } from './AnswerButtons.tsx';
import { AttentionBadge, StatusBadge, UrgentFlag } from './StatusBadge.tsx';

type Props = Readonly<{
  job: JobCardView;
  timeZone: string;
  /** Outside a list of its own day, which a row of it then names itself. */
  withDay?: boolean;
  withStatus?: boolean;
  /** Whether a job that waits can be answered here. */
  withAnswer?: boolean;
}>;

/** A job in a line, with the call one tap away. The title's link covers it; the buttons sit above. */
export function JobRow({ job, timeZone, withDay = false, withStatus = true, withAnswer = false }: Props) {
  return (
    <article className="slot" aria-label={job.title} data-job={job.id}>
      <div className="slot__when">
        <When scheduledAt={job.scheduledAt} timeZone={timeZone} withDay={withDay} />
        {job.isUrgent && <UrgentFlag />}
      </div>
      <div className="slot__body">
        <a className="slot__title" data-after-answer href={`/jobs/details/${job.id}`}>
          {job.type === 'WorkOrder' && job.status !== 'Pending' && <Icon name="ute" />}
          {truncate(job.title)}
        </a>
        <p className="slot__meta">{job.location.address}</p>
        <div className="slot__tags">
          {withStatus && <StatusBadge job={job} />}
          <AttentionBadge job={job} />
        </div>
      </div>
      {job.phone && (
        <a
          className="btn btn--secondary btn--icon"
          href={`tel:${job.phone}`}
          aria-label={`Call about ${job.title}`}
        >
          <Icon name="phone" />
        </a>
      )}
      {withAnswer && hidesContact(job.status) && (
        <div className="slot__answer">
          <AnswerButtons job={job} size="btn--sm" />
        </div>
      )}
    </article>
  );
}

type WhenProps = Readonly<{ scheduledAt: string | null; timeZone: string; withDay: boolean }>;

function When({ scheduledAt, timeZone, withDay }: WhenProps) {
  if (!scheduledAt) return <span className="slot__day">No time yet</span>;
  return (
    <>
      {withDay && (
        <time className="slot__day" dateTime={dayKey(scheduledAt, timeZone)}>
          {formatDay(scheduledAt, timeZone)}
        </time>
      )}
      <time className="slot__time" dateTime={scheduledAt}>
        {formatTime(scheduledAt, timeZone)}
      </time>
    </>
  );
}

/** A row whose job is on its way. */
export function JobRowSkeleton() {
  return (
    <div className="slot">
      <div className="slot__when">
        <span className="sk sk--time" />
      </div>
      <div className="slot__body">
        <span className="sk sk--line" />
        <span className="sk sk--info-row" />
      </div>
      <span className="sk sk--block sk--call" />
    </div>
  );
}
