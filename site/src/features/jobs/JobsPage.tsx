import { useStore } from '@nanostores/react';
import type { ListView } from '#core/job/list-views.ts';
import { FaultBoundary } from '#site/components/ui/FaultBoundary.tsx';
import { Icon } from '#site/components/ui/Icon.tsx';
import { SearchBox } from '#site/components/ui/SearchBox.tsx';
import { Announcement } from '#site/features/live/Announcement.tsx';
import { SkeletonGrid } from './JobCardSkeleton.tsx';
import { JobGrid } from './JobGrid.tsx';
import { $question, $searchText, listSearch, typeSearch } from './job-list-page-store.ts';
import { ViewChips } from './ViewChips.tsx';
import { viewPath, viewTitle } from './view-path.ts';

/** A job list with its title, search and view chips. */
export function JobsPage({ view }: { view: ListView }) {
  const question = useStore($question, { ssr: () => null });
  const text = useStore($searchText, { ssr: 'initial' });
  return (
    <FaultBoundary>
      <div className="list-head">
        <div className="list-head__title">
          <a className="back" href="/">
            <Icon name="arrow-left" />
            <span>Your jobs</span>
          </a>
          <h1>{viewTitle(view)}</h1>
        </div>
        <div className="list-head__tools">
          <SearchBox
            label="Search jobs"
            search={listSearch}
            text={text}
            onText={typeSearch}
            action={viewPath(view)}
          />
          <a className="btn btn--primary only-md" href={view === 'new' ? '/jobs/new' : '/jobs/add'}>
            <Icon name="plus" />
            Add new job
          </a>
        </div>
      </div>
      <ViewChips current={view} />
      <h2 className="sr">Jobs</h2>
      {question ? <JobGrid key={JSON.stringify(question)} question={question} /> : <SkeletonGrid />}
      <Announcement />
    </FaultBoundary>
  );
}
