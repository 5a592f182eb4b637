import { type ListView, listViewNames, listViews } from '#core/job/lists.ts';
import { jobCounts } from '#site/jobs/job-counts-store.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';

/** The four lists, each with how many jobs it holds. */
export function ViewChips({ current }: { current: ListView }) {
  const counts = useQuery(jobCounts).data;
  return (
    <nav className="chips chips--scroll chips--views" aria-label="Job views">
      {listViewNames.map((view) => (
        <a
          key={view}
          className="chip"
          href={viewPath(view)}
          aria-current={view === current ? 'page' : undefined}
        >
          {listViews[view].label}
          <span className="chip__count">{counts ? counts[listViews[view].count] : '–'}</span>
        </a>
      ))}
    </nav>
  );
}
