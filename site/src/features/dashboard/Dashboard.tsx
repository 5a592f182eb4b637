import { useStore } from '@nanostores/react';
import { product } from '#core/values/product.ts';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatLongDay } from '#site/lib/time/moments.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { KelFace } from '#site/ui/KelFace.tsx';
import { SearchBox } from '#site/ui/SearchBox.tsx';
import { CountTiles } from './CountTiles.tsx';
import { $dashboardSearch, dashboardSearch, typeDashboardSearch } from './dashboard-search-store.ts';
import { NextUp } from './NextUp.tsx';
import { workAhead } from './next-up-store.ts';
import { WaitingList } from './WaitingList.tsx';

/** The page a tradie opens first: how many, what is next, and what waits for an answer. */
export function Dashboard() {
  const text = useStore($dashboardSearch, { ssr: 'initial' });
  const ahead = useQuery(workAhead);
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
      <div className="dash__cols" aria-busy={ahead.status === 'pending'}>
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
