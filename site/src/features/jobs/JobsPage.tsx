import { useStore } from '@nanostores/react';
import type { ListView } from '#core/job/lists.ts';
import { FaultBoundary } from '#site/components/ui/FaultBoundary.tsx';
import { Announcement } from '#site/features/live/Announcement.tsx';
import { JobGrid } from './JobGrid.tsx';
import { JobsSkeleton } from './Jobs.tsx';
import { $question } from './job-list-page-store.ts';
import { ListHead } from './ListHead.tsx';
import { $listAppearances, appearanceOf, usualAppearances } from './list-appearance-store.ts';
import { ViewChips } from './ViewChips.tsx';

/** A job list with its title, search and view chips. */
export function JobsPage({ view }: { view: ListView }) {
  const question = useStore($question, { ssr: () => null });
  const appearance = appearanceOf(view, useStore($listAppearances, { ssr: () => usualAppearances }));
  return (
    <FaultBoundary>
      <ListHead view={view} />
      <ViewChips current={view} />
      <h2 className="sr">Jobs</h2>
      {question ? (
        <JobGrid key={JSON.stringify(question)} question={question} />
      ) : (
        <JobsSkeleton appearance={appearance} />
      )}
      <Announcement />
    </FaultBoundary>
  );
}
