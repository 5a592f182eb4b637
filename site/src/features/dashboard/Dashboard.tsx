import { useStore } from '@nanostores/react';
import { type ComponentType, lazy, Suspense } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { type ListView, listViewNames, listViews } from '#core/job/status/statuses.ts';
import { product } from '#core/values/product.ts';
import { JobCardSkeleton } from '#site/jobs/JobCard.tsx';
import { jobCounts } from '#site/jobs/job-stores.ts';
import { viewPath, viewTitle } from '#site/jobs/list/list-place.ts';
import { $searchText, typeSearch } from '#site/jobs/list/searched.ts';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatLongDay } from '#site/lib/time/moments.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { KelFace } from '#site/ui/drawn-again.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';
import { SearchBox } from '#site/ui/SearchBox.tsx';
import { hasJobs, waitingJobs, workAhead } from './dashboard-stores.ts';
import { NextUp, NotLoaded, useWaitingCount, WaitingList } from './NextUp.tsx';
import { $isFound, dashboardSearch, leaveFound } from './start-dashboard.ts';

const tiles: Record<ListView, Readonly<{ icon: IconName; colour: string }>> = {
  today: { icon: 'sun', colour: 'today' },
  new: { icon: 'inbox', colour: 'new' },
  'in-progress': { icon: 'hammer', colour: 'progress' },
  all: { icon: 'layers', colour: 'all' },
};

/** A tile has no place for five digits: from 10,000 on in thousands. */
function Count({ of: count }: Readonly<{ of: number }>) {
  return (
    <span className="tile__count" data-long={count > 999 || undefined}>
      {count > 9_999 ? `${Math.trunc(count / 1_000)}K` : count}
    </span>
  );
}

/** How many jobs are in each list; a tile opens its list. */
function CountTiles() {
  const { data: counts, status } = useQuery(jobCounts);
  const waiting = useWaitingCount();
  const isMissing = status === 'error' && !counts;
  const tileList = (
    <nav className="tiles" aria-label="Job counts">
      {listViewNames.map((view) => (
        <a key={view} className={`tile tile--${tiles[view].colour}`} href={viewPath(view)}>
          <Icon name={tiles[view].icon} />
          {counts ? (
            <Count of={counts[listViews[view].count]} />
          ) : isMissing ? (
            <span className="tile__count" aria-hidden="true">
              –
            </span>
          ) : (
            <span className="tile__count" aria-hidden="true">
              <span className="sk sk--count" />
            </span>
          )}
          <span className="tile__label">
            <span>{listViews[view].label}</span>
            {view === 'new' && counts && waiting > 0 && (
              <span className="tile__sub">{` ${waiting} waiting on you`}</span>
            )}
          </span>
        </a>
      ))}
    </nav>
  );
  return (
    <>
      {tileList}
      {isMissing && <NotLoaded what="The counts" onAgain={jobCounts.refresh} />}
    </>
  );
}

/** A part that few dashboards show: loaded where it is shown. Where it cannot be loaded, `otherwise` stands in its place. */
function rare<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  otherwise: ComponentType<Props> = () => null,
) {
  return lazy(async () => ({ default: await load().catch(() => otherwise) }));
}

// The address has the page of the list itself.
const loadFound = async () => (await import('./Found.tsx')).Found;
const Found = rare(loadFound, () => <NotLoaded what="The jobs" onAgain={() => location.reload()} />);

const FirstSteps = rare<{ children: Elements }>(
  async () => (await import('./FirstSteps.tsx')).FirstSteps,
  ({ children }) => children,
);
// The profile says the same, and that the business is to be closed.
const ToFinish = rare(async () => (await import('./ToFinish.tsx')).ToFinish);
const ClosingNote = rare<ClosingProps>(async () => (await import('#site/ui/ClosingNote.tsx')).ClosingNote);

type ClosingProps = Readonly<{ closesAt: string; timeZone: string }>;

function Closing() {
  const user = useStore($session, { ssr: () => null })?.user;
  if (!user?.closesAt) return null;
  return (
    <div className="dash__closing">
      <Suspense fallback={null}>
        <ClosingNote closesAt={user.closesAt} timeZone={user.timeZone} />
      </Suspense>
    </div>
  );
}

/** The page a tradie opens first: how many, what is next, and what waits for an answer. */
export function Dashboard() {
  const text = useStore($searchText, { ssr: 'initial' });
  const isFound = useStore($isFound, { ssr: 'initial' });
  const ahead = useQuery(workAhead);
  const waiting = useQuery(waitingJobs);
  const { data: counts } = useQuery(jobCounts);
  const user = useStore($session, { ssr: () => null })?.user;
  const isClosing = Boolean(user?.closesAt);
  const isFirst = !isClosing && hasJobs(counts, waiting.data) === false;
  const columns = (
    <div className="dash__cols" aria-busy={ahead.status === 'pending' || waiting.status === 'pending'}>
      <WaitingList />
      <NextUp />
    </div>
  );
  return (
    <FaultBoundary>
      <OfflineNote shown={ahead} />
      <Closing />
      <div className="dash__head">
        <div className="dash__title">
          {isFound ? (
            <>
              <BackToDashboard />
              <h1>{viewTitle('all')}</h1>
            </>
          ) : (
            <>
              <h1>Your jobs</h1>
              <p className="lede num">
                <Today />
              </p>
            </>
          )}
        </div>
        <a className="dash__kel" href="/chatbot" aria-label={`Ask ${product.mascot}`}>
          <KelFace className="dash__kel-face" />
        </a>
        <SearchBox
          label="Search jobs"
          search={dashboardSearch}
          text={text}
          onText={(typed) => {
            loadFound().catch(() => {});
            typeSearch(typed);
          }}
          action={viewPath('all')}
        />
        <a className="btn btn--primary only-md" href="/jobs/add">
          <Icon name="plus" />
          <span>Add new job</span>
        </a>
      </div>
      {isFound ? (
        <Suspense fallback={<JobCardSkeleton />}>
          <Found />
        </Suspense>
      ) : (
        <>
          <CountTiles />
          {isFirst ? (
            <Suspense fallback={<div className="dash__first" aria-busy="true" />}>
              <FirstSteps>{columns}</FirstSteps>
            </Suspense>
          ) : (
            columns
          )}
          {user?.isToFinish && !isClosing && (
            <Suspense fallback={null}>
              <ToFinish />
            </Suspense>
          )}
        </>
      )}
      <Announcement />
    </FaultBoundary>
  );
}

function BackToDashboard() {
  return (
    <a
      className="back dash__back"
      href="/"
      onClick={(event) => {
        event.preventDefault();
        leaveFound();
      }}
    >
      <Icon name="arrow-left" />
      <span>Your jobs</span>
    </a>
  );
}

/** The day it is where the business is. */
function Today() {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  if (!timeZone) return <span className="sk sk--day" aria-hidden="true" />;
  return <span>{formatLongDay(new Date(), timeZone)}</span>;
}
