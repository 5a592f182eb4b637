import { useStore } from '@nanostores/react';
import { JobGrid } from '#site/jobs/list/JobGrid.tsx';
import { $question } from '#site/jobs/list/job-list-page-store.ts';
import { ListHead } from '#site/jobs/list/ListHead.tsx';
import { $listAppearances, usualAppearances } from '#site/jobs/list/list-appearance-store.ts';
import { ViewChips } from '#site/jobs/list/ViewChips.tsx';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { useQuery } from '#site/lib/http/use-query.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
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
