import { useStore } from '@nanostores/react';
import { FaultBoundary } from '#site/components/ui/FaultBoundary.tsx';
import { JobGrid } from '#site/features/jobs/JobGrid.tsx';
import { $question } from '#site/features/jobs/job-list-page-store.ts';
import { ListHead } from '#site/features/jobs/ListHead.tsx';
import { $listAppearances, usualAppearances } from '#site/features/jobs/list-appearance-store.ts';
import { OfflineNote } from '#site/features/jobs/OfflineNote.tsx';
import { ViewChips } from '#site/features/jobs/ViewChips.tsx';
import { Announcement } from '#site/features/live/Announcement.tsx';
import { useQuery } from '#site/lib/use-query.ts';
import { ScheduleDays } from './ScheduleDays.tsx';
import { ScheduleSkeleton } from './ScheduleSkeleton.tsx';
import { schedule } from './schedule-store.ts';
import { followBar } from './show-day.ts';

/** Today and the days around it; a search shows the jobs it finds there instead. */
export function SchedulePage() {
  const question = useStore($question, { ssr: () => null });
  return (
    <FaultBoundary>
      <div className="sched__bar" ref={followBar}>
        <ListHead view="today" />
        <ViewChips current="today" />
      </div>
      {question?.search ? (
        <div className="sched__found">
          <h2 className="sr">Jobs</h2>
          <JobGrid key={JSON.stringify(question)} question={question} />
        </div>
      ) : (
        <Days />
      )}
      <Announcement />
    </FaultBoundary>
  );
}

function Days() {
  const state = useQuery(schedule);
  const appearance = useStore($listAppearances, { ssr: () => usualAppearances }).days;
  const { data, status, error } = state;
  if (data) {
    return (
      <>
        <OfflineNote shown={state} />
        <ScheduleDays key={appearance} schedule={data} appearance={appearance} />
      </>
    );
  }
  if (status === 'pending') {
    return (
      <>
        <OfflineNote shown={state} />
        <ScheduleSkeleton />
      </>
    );
  }
  return (
    <div className="empty" role="alert">
      <h2>The schedule could not be loaded</h2>
      <p>{error?.message}</p>
      <button type="button" className="btn btn--secondary" onClick={() => void schedule.refresh()}>
        Try again
      </button>
    </div>
  );
}
