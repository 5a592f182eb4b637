import { useStore } from '@nanostores/react';
import { type ListView, listViewNames, listViews } from '#core/job/statuses.ts';
import { jobCounts } from '#site/jobs/job-counts-store.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { $searchText } from './job-list-page-store.ts';

/** Only sideways: the page itself stays where it is. */
function showChosen(chips: HTMLElement | null): void {
  const chosen = chips?.querySelector('[aria-current]')?.getBoundingClientRect();
  const row = chips?.getBoundingClientRect();
  if (chips && chosen && row) chips.scrollLeft += chosen.left - row.left - (row.width - chosen.width) / 2;
}

/** The four lists, each with how many jobs it holds. What is searched for goes along, and the chosen chip is in sight. */
export function ViewChips({ current }: { current: ListView }) {
  const typed = useStore($searchText, { ssr: 'initial' }).trim();
  const counts = useQuery(jobCounts).data;
  return (
    <nav className="chips chips--scroll chips--views" aria-label="Job views" ref={showChosen}>
      {listViewNames.map((view) => (
        <a
          key={view}
          className="chip"
          href={typed ? `${viewPath(view)}&search=${encodeURIComponent(typed)}` : viewPath(view)}
          aria-current={view === current ? 'page' : undefined}
        >
          {listViews[view].label}
          <span className="chip__count">{counts ? counts[listViews[view].count] : '–'}</span>
        </a>
      ))}
    </nav>
  );
}
