import type { JobCardView } from '#core/job/view.ts';
import { truncate } from '#core/values/text.ts';
import { Icon } from '#site/components/ui/Icon.tsx';
import { StatusBadge, UrgentFlag } from '#site/features/jobs/StatusBadge.tsx';
import { formatTime } from '#site/lib/when.ts';

/** A job on its day, with the call one tap away. */
export function Slot({ job, timeZone }: { job: JobCardView; timeZone: string }) {
  return (
    <article className="slot" aria-label={job.title}>
      <div className="slot__when">
        {job.scheduledAt && (
          <time className="slot__time" dateTime={job.scheduledAt}>
            {formatTime(job.scheduledAt, timeZone)}
          </time>
        )}
        {job.isUrgent && <UrgentFlag />}
      </div>
      <div className="slot__body">
        <a className="slot__title" href={`/jobs/details/${job.id}`} aria-label={`Details of ${job.title}`}>
          {job.type === 'WorkOrder' && <Icon name="ute" />}
          {truncate(job.title)}
        </a>
        <p className="slot__meta">{job.location.address}</p>
        <div className="slot__tags">
          <StatusBadge job={job} />
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
    </article>
  );
}
