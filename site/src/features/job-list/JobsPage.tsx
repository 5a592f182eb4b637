import { useStore } from '@nanostores/react';
import type { ListView } from '#core/job/status/statuses.ts';
import { JobGrid } from '#site/jobs/list/JobGrid.tsx';
import { JobsSkeleton } from '#site/jobs/list/Jobs.tsx';
import { $question } from '#site/jobs/list/job-list-page-store.ts';
import { ListHead, ViewChips } from '#site/jobs/list/ListHead.tsx';
import { $listAppearances, appearanceOf, usualAppearances } from '#site/jobs/list/list-appearance-store.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';

/** A job list with its title, search and view chips. */
export function JobsPage({ view }: { view: ListView }) {
  const question = useStore($question, { ssr: () => null });
  const appearance = appearanceOf(view, useStore($listAppearances, { ssr: () => usualAppearances }));
  return (
    <FaultBoundary>
      <ListHead view={view} />
      <ViewChips current={view} />
      {view !== 'new' && <h2 className="sr">Jobs</h2>}
      {question ? (
        <JobGrid key={JSON.stringify(question)} question={question} />
      ) : (
        <JobsSkeleton view={view} appearance={appearance} />
      )}
      <Announcement />
    </FaultBoundary>
  );
}
