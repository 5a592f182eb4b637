import { type ListView, listViewNames, listViews } from '#core/job/lists.ts';
import { jobCounts } from '#site/jobs/job-counts-store.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';

const tiles: Record<ListView, Readonly<{ icon: IconName; colour: string }>> = {
  today: { icon: 'sun', colour: 'today' },
  new: { icon: 'inbox', colour: 'new' },
  'in-progress': { icon: 'hammer', colour: 'progress' },
  all: { icon: 'layers', colour: 'all' },
};

/** How many jobs are in each list; a tile opens its list. */
export function CountTiles() {
  const counts = useQuery(jobCounts).data;
  return (
    <nav className="tiles" aria-label="Job counts">
      {listViewNames.map((view) => (
        <a key={view} className={`tile tile--${tiles[view].colour}`} href={viewPath(view)}>
          <Icon name={tiles[view].icon} />
          {counts ? (
            <span className="tile__count">{counts[listViews[view].count]}</span>
          ) : (
            <span className="sk sk--count" aria-hidden="true" />
          )}
          <span className="tile__label">{listViews[view].label}</span>
        </a>
      ))}
    </nav>
  );
}
