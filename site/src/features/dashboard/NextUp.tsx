import { useStore } from '@nanostores/react';
import type { JobCardView } from '#core/job/view.ts';
import { Icon } from '#site/components/ui/Icon.tsx';
import { $jobCards } from '#site/features/jobs/job-cards-store.ts';
import { UrgentFlag } from '#site/features/jobs/StatusBadge.tsx';
import { viewPath } from '#site/features/jobs/view-path.ts';
import { $session } from '#site/lib/session-store.ts';
import { useQuery } from '#site/lib/use-query.ts';
import { dayKey, dayKind, formatLongDay, formatTime } from '#site/lib/when.ts';
import { nextJobs } from './next-up-store.ts';

/** The next jobs on the schedule, with the call one tap away. */
export function NextUp() {
  const { status, data } = useQuery(nextJobs);
  const cards = useStore($jobCards, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  return (
    <section aria-labelledby="next">
      <div className="section-head">
        <h2 id="next">Next up</h2>
        <a href={viewPath('today')}>Full schedule</a>
      </div>
      {status === 'pending' || !timeZone ? (
        <NextSkeleton />
      ) : data && data.length > 0 ? (
        <div className="card stack-card">
          {data
            .flatMap((id) => cards[id] ?? [])
            .map((job, place, jobs) => (
              <Row key={job.id} job={job} before={jobs[place - 1]} timeZone={timeZone} />
            ))}
        </div>
      ) : (
        <p className="card muted">{data ? 'Nothing is booked ahead.' : 'These jobs could not be loaded.'}</p>
      )}
    </section>
  );
}

type RowProps = Readonly<{ job: JobCardView; before: JobCardView | undefined; timeZone: string }>;

/** A job, below a heading where its day is not the one above it; today needs none. */
function Row({ job, before, timeZone }: RowProps) {
  if (!job.scheduledAt) return null;
  const day = dayKey(job.scheduledAt, timeZone);
  const kind = dayKind(job.scheduledAt, timeZone, new Date());
  const isSameDay = before?.scheduledAt ? dayKey(before.scheduledAt, timeZone) === day : kind === 'today';
  return (
    <>
      {!isSameDay && (
        <h3 className={`day-heading day-heading--${kind}`}>{formatLongDay(job.scheduledAt, timeZone)}</h3>
      )}
      <article className="slot" aria-label={job.title}>
        <div className="slot__when">
          <time className="slot__time" dateTime={job.scheduledAt}>
            {formatTime(job.scheduledAt, timeZone)}
          </time>
          {job.isUrgent && <UrgentFlag />}
        </div>
        <div className="slot__body">
          <a className="slot__title" href={`/jobs/details/${job.id}`}>
            {job.title}
          </a>
          <p className="slot__meta">{job.location.address}</p>
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
    </>
  );
}

function NextSkeleton() {
  return (
    <div className="card stack-card" aria-hidden="true">
      {[1, 2, 3, 4].map((place) => (
        <div key={place} className="slot">
          <div className="slot__when">
            <span className="sk sk--time" />
          </div>
          <div className="slot__body">
            <span className="sk sk--line" />
            <span className="sk sk--fact" />
          </div>
          <span className="sk sk--block sk--call" />
        </div>
      ))}
    </div>
  );
}
