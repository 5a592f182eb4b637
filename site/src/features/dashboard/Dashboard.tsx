import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { type ListView, listViewNames, listViews } from '#core/job/lists.ts';
import { product } from '#core/values/product.ts';
import { jobCounts } from '#site/jobs/job-counts-store.ts';
import { carrySearch } from '#site/jobs/list/carried-search.ts';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { createSearch } from '#site/lib/search.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatLongDay } from '#site/lib/time/moments.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';
import { KelFace } from '#site/ui/KelFace.tsx';
import { SearchBox } from '#site/ui/SearchBox.tsx';
import { NextUp } from './NextUp.tsx';
import { workAhead } from './next-up-store.ts';
import { useWaitingCount, WaitingList } from './WaitingList.tsx';
import { waitingJobs } from './waiting-store.ts';

const text = atom('');
const $dashboardSearch = text;

function typeDashboardSearch(value: string): void {
  text.set(value);
}

/** The list that is on its way; null while none is. */
let leaving: { to: string; wanted: string } | null = null;

// Letters are still typed here until the list is there.
function carry(): void {
  if (leaving && text.get().trim() !== leaving.wanted) carrySearch(text.get(), leaving.to);
  leaving = null;
}

/** A search from the dashboard is answered by the list of all jobs. */
const dashboardSearch = createSearch(async (wanted) => {
  if (!wanted) return;
  const to = `${viewPath('all')}&search=${encodeURIComponent(wanted)}`;
  leaving = { to, wanted };
  // The same function again is one listener still.
  addEventListener('pagehide', carry);
  location.assign(to);
});

const tiles: Record<ListView, Readonly<{ icon: IconName; colour: string }>> = {
  today: { icon: 'sun', colour: 'today' },
  new: { icon: 'inbox', colour: 'new' },
  'in-progress': { icon: 'hammer', colour: 'progress' },
  all: { icon: 'layers', colour: 'all' },
};

/** How many jobs are in each list; a tile opens its list. */
function CountTiles() {
  const counts = useQuery(jobCounts).data;
  const waiting = useWaitingCount();
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
          <span className="tile__label">
            {listViews[view].label}
            {view === 'new' && counts && waiting > 0 && (
              <span className="tile__sub"> {waiting} waiting on you</span>
            )}
          </span>
        </a>
      ))}
    </nav>
  );
}

/** The page a tradie opens first: how many, what is next, and what waits for an answer. */
export function Dashboard() {
  const text = useStore($dashboardSearch, { ssr: 'initial' });
  const ahead = useQuery(workAhead);
  const waiting = useQuery(waitingJobs);
  return (
    <FaultBoundary>
      <OfflineNote shown={ahead} />
      <div className="dash__head">
        <div className="dash__title">
          <h1>Your jobs</h1>
          <p className="lede num">
            <Today />
          </p>
        </div>
        <a className="dash__kel" href="/chatbot" aria-label={`Ask ${product.mascot}`}>
          <KelFace className="dash__kel-face" />
        </a>
        <SearchBox
          label="Search jobs"
          search={dashboardSearch}
          text={text}
          onText={typeDashboardSearch}
          action={viewPath('all')}
        />
        <a className="btn btn--primary only-md" href="/jobs/add">
          <Icon name="plus" />
          Add new job
        </a>
      </div>
      <CountTiles />
      <div className="dash__cols" aria-busy={ahead.status === 'pending' || waiting.status === 'pending'}>
        <NextUp />
        <WaitingList />
      </div>
      <Announcement />
    </FaultBoundary>
  );
}

/** The day it is where the business is. */
function Today() {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  return timeZone ? formatLongDay(new Date(), timeZone) : <span className="sk sk--day" aria-hidden="true" />;
}
