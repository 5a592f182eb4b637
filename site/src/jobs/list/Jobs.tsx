import type { ListView } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { JobCard } from '#site/jobs/JobCard.tsx';
import { JobCardSkeleton } from '#site/jobs/JobCardSkeleton.tsx';
import { JobRow, JobRowSkeleton } from '#site/jobs/JobRow.tsx';
import type { ListAppearance } from '#site/jobs/list/list-appearance-store.ts';
import { NewGroupsSkeleton } from '#site/jobs/list/NewGroups.tsx';

type Props = Readonly<{ jobs: readonly JobCardView[]; timeZone: string; appearance: ListAppearance }>;

/** Jobs in the order given, as cards or as rows. */
export function Jobs({ jobs, timeZone, appearance }: Props) {
  if (appearance === 'cards') {
    return (
      <div className="job-grid">
        {jobs.map((job, place) => (
          <JobCard key={job.id} job={job} timeZone={timeZone} isFirst={place === 0} />
        ))}
      </div>
    );
  }
  return (
    <div className="card stack-card">
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} timeZone={timeZone} lead="status" withAnswer />
      ))}
    </div>
  );
}

/** Jobs of a list that are on their way. */
export function JobsSkeleton({ view, appearance }: Pick<Props, 'appearance'> & { view: ListView }) {
  if (view === 'new' && appearance === 'cards') return <NewGroupsSkeleton />;
  const places = [1, 2, 3, 4, 5, 6];
  return appearance === 'cards' ? (
    <div className="job-grid">
      {places.map((place) => (
        <JobCardSkeleton key={place} />
      ))}
    </div>
  ) : (
    <div className="card stack-card" aria-hidden="true">
      {places.map((place) => (
        <JobRowSkeleton key={place} />
      ))}
    </div>
  );
}
