import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ListView, listViewNames, listViews } from '#core/job/status/statuses.ts';
import { jobCounts } from '#site/jobs/job-stores.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { SearchBox } from '#site/ui/SearchBox.tsx';
import { clearSearch, listSearch } from './job-list-page-store.ts';
import {
  $listAppearances,
  appearanceOf,
  chooseAppearance,
  usualAppearances,
} from './list-appearance-store.ts';
import { showChosen, viewPath, viewTitle } from './list-place.ts';
import { $searchText, typeSearch } from './searched.ts';

const appearances = [
  { appearance: 'cards', label: 'Cards', icon: 'layout-grid' },
  { appearance: 'rows', label: 'List', icon: 'list' },
] as const;

/** Cards or compact rows; stored on this device. */
function ViewToggle({ view }: { view: ListView }) {
  const chosen = appearanceOf(view, useStore($listAppearances, { ssr: () => usualAppearances }));
  return (
    <div className="seg" role="group" aria-label="View">
      {appearances.map(({ appearance, label, icon }) => (
        <button
          key={appearance}
          type="button"
          aria-label={label}
          aria-pressed={appearance === chosen}
          onClick={() => chooseAppearance(view, appearance)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}

/**
 * The head of a list: the way back, its title, its search, its appearance and the way to a new job. Above the days of a phone
 * the search stands behind a button.
 */
export function ListHead({ view }: { view: ListView }) {
  const text = useStore($searchText, { ssr: 'initial' });
  const head = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const isSearching = isAsked || text !== '';
  const isTight = view === 'today';

  function toggleSearch(): void {
    flushSync(() => setAsked(!isSearching));
    if (isSearching) clearSearch();
    else head.current?.querySelector('input')?.focus({ preventScroll: true });
  }

  return (
    <div
      ref={head}
      className={['list-head', isTight && 'list-head--tight', isSearching && 'is-searching']
        .filter(Boolean)
        .join(' ')}
    >
      <div className="list-head__title">
        <a className="back" href="/">
          <Icon name="arrow-left" />
          <span>Your jobs</span>
        </a>
        <h1>{viewTitle(view)}</h1>
      </div>
      <div className="list-head__tools">
        {isTight && (
          <button
            className="btn btn--secondary btn--icon only-sm"
            type="button"
            aria-label="Search jobs"
            aria-expanded={isSearching}
            onClick={toggleSearch}
          >
            <Icon name={isSearching ? 'x' : 'search'} />
          </button>
        )}
        <a
          className="btn btn--secondary btn--icon"
          href={`/jobs/as-at?view=${view}`}
          aria-label="As it stood"
          title="As it stood"
        >
          <Icon name="history" />
        </a>
        <ViewToggle view={view} />
        <a className="btn btn--primary only-md" href={view === 'new' ? '/jobs/new' : '/jobs/add'}>
          <Icon name="plus" />
          <span>Add new job</span>
        </a>
        <SearchBox
          label="Search jobs"
          search={listSearch}
          text={text}
          onText={typeSearch}
          action={viewPath(view)}
        />
      </div>
    </div>
  );
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
          <span>{listViews[view].label}</span>
          <span className="chip__count">{counts ? counts[listViews[view].count] : '–'}</span>
        </a>
      ))}
    </nav>
  );
}
