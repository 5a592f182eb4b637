import { useStore } from '@nanostores/react';
import { hidesContact } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { truncate } from '#core/values/text.ts';
import { AnswerButtons } from '#site/jobs/AnswerButtons.tsx';
import { CallLink, ContactFacts } from '#site/jobs/JobCard.tsx';
import { $jobCards } from '#site/jobs/job-cards-store.ts';
import { AttentionBadge, StatusBadge, UrgentFlag } from '#site/jobs/StatusBadge.tsx';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { waitingJobs } from './waiting-store.ts';

/** The jobs that wait for an answer, to be answered on the spot. */
export function WaitingList() {
  const { status, data } = useQuery(waitingJobs);
  const cards = useStore($jobCards, { ssr: 'initial' });
  const shown = data?.ids.flatMap((id) => cards[id] ?? []) ?? [];
  const hasMore = data?.known.some((id) => !data.ids.includes(id));
  return (
    <section aria-labelledby="waiting">
      <div className="section-head">
        <h2 id="waiting">Waiting on your answer</h2>
        {hasMore && <a href={viewPath('new')}>See all</a>}
      </div>
      {status === 'pending' ? (
        <WaitingSkeleton />
      ) : (
        <div className="ask-list">
          {shown.map((job) => (
            <Ask key={job.id} job={job} />
          ))}
          {data && shown.length === 0 && (
            <p className="card muted">Nothing is waiting. New requests show up here.</p>
          )}
          {!data && <p className="card muted">These jobs could not be loaded.</p>}
        </div>
      )}
    </section>
  );
}

function Ask({ job }: { job: JobCardView }) {
  const isHidden = hidesContact(job.status);
  return (
    <article className="card ask" aria-label={job.title} data-job={job.id}>
      <div className="job__top">
        <StatusBadge job={job} />
        {job.isUrgent && <UrgentFlag />}
        <AttentionBadge job={job} />
      </div>
      <div className="ask__body">
        <a className="ask__title job__more" data-after-answer href={`/jobs/details/${job.id}`}>
          {truncate(job.title)}
        </a>
        <p className="slot__meta">{job.location.address}</p>
        {!isHidden && <ContactFacts job={job} />}
      </div>
      <div className={isHidden ? 'job__actions' : 'job__actions job__actions--1'}>
        {isHidden ? (
          <AnswerButtons job={job} size="btn--sm" />
        ) : (
          <CallLink job={job} variant="btn--secondary btn--sm" />
        )}
      </div>
    </article>
  );
}

function WaitingSkeleton() {
  return (
    <div className="ask-list" aria-hidden="true">
      {[1, 2].map((place) => (
        <div key={place} className="card ask">
          <span className="sk sk--badge" />
          <div className="ask__body">
            <span className="sk sk--line" />
            <span className="sk sk--info-row" />
          </div>
          <div className="job__actions">
            <span className="sk sk--block sk--button-sm" />
            <span className="sk sk--block sk--button-sm" />
          </div>
        </div>
      ))}
    </div>
  );
}
