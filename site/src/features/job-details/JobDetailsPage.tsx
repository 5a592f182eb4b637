import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import type { JobView } from '#core/job/view.ts';
import { JobCard } from '#site/jobs/JobCard.tsx';
import { jobDetails } from '#site/jobs/job-stores.ts';
import { viewPath } from '#site/jobs/list/list-place.ts';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { type QueryState, useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { cachedCard } from './cached-card.ts';
import { BackLink, JobDetails } from './JobDetails.tsx';
import { $jobId } from './start-job-details.ts';

type Props = Readonly<{ id: string; state: QueryState<JobView | null> }>;
type Cached = Awaited<ReturnType<typeof cachedCard>>;

const unknown = 'This job was not opened on this device yet. We’ll load it when you’re back.';
const inPart = 'This job was not opened on this device yet. This is what your list said of it';

/** A job on its way. While it cannot come: as much of it as a list holds that was loaded before. */
function UnopenedJob({ id, state }: Props) {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const [cached, setCached] = useState<Cached>(null);
  const isPaused = state.fetchStatus === 'paused';
  useEffect(() => {
    if (isPaused) void cachedCard(id).then(setCached);
  }, [id, isPaused]);
  if (!isPaused || !cached || !timeZone) {
    return (
      <>
        <div className="offline-part">
          <OfflineNote shown={state} otherwise={unknown} />
        </div>
        <JobDetailsSkeleton />
      </>
    );
  }
  return (
    <>
      <div className="offline-part">
        <OfflineNote shown={{ ...state, updatedAt: cached.at }} what={inPart} />
      </div>
      <div className="jd__head">
        <BackLink />
        <h1 className="sr">{cached.card.title}</h1>
      </div>
      <div className="job-grid">
        <JobCard job={cached.card} timeZone={timeZone} />
      </div>
    </>
  );
}

/** The job that the address names, with its waiting, missing and failed states. */
export function JobDetailsPage() {
  const id = useStore($jobId, { ssr: 'initial' });
  return (
    <FaultBoundary>
      {id === null ? <JobDetailsSkeleton /> : <LoadedJob id={id} />}
      <Announcement />
    </FaultBoundary>
  );
}

function LoadedJob({ id }: { id: string }) {
  const query = jobDetails(id);
  const state = useQuery(query);
  const { data, status, error } = state;
  if (data) {
    return (
      <>
        <OfflineNote shown={state} what="This is the job" />
        <JobDetails job={data} />
      </>
    );
  }
  if (data === null) return <JobNotFound />;
  if (status === 'pending') return <UnopenedJob id={id} state={state} />;
  return (
    <Notice title="This job could not be loaded" text={error?.message ?? ''}>
      <button type="button" className="btn btn--secondary" onClick={() => void query.refresh()}>
        Try again
      </button>
    </Notice>
  );
}

/** The page has drawn the mascot hidden, so that its shape is no script. */
function JobNotFound() {
  return (
    <>
      <BackLink />
      <div className="lost" role="status">
        <svg className="lost__kel" viewBox="0 0 96 96" aria-hidden="true">
          <use href="#kel-puzzled" />
        </svg>
        <h1>Job not found</h1>
        <p className="lede">It may belong to another business, or the link lost a letter on the way.</p>
        <div className="lost__do">
          <a className="btn btn--primary btn--lg" href={viewPath('all')}>
            See all jobs
          </a>
          <a className="btn btn--secondary btn--lg" href={`${viewPath('all')}#search`}>
            <Icon name="search" />
            <span>Search jobs</span>
          </a>
        </div>
      </div>
    </>
  );
}

type NoticeProps = Readonly<{ title: string; text?: string; children?: Elements }>;

function Notice({ title, text, children }: NoticeProps) {
  return (
    <>
      <BackLink />
      <div className="empty" role="status">
        <h1>{title}</h1>
        {text && <p>{text}</p>}
        {children}
      </div>
    </>
  );
}

/** A job on its way: the boxes it will fill, and the word for screen readers. */
function JobDetailsSkeleton() {
  return (
    <div className="jd">
      <div className="jd__head">
        <BackLink />
        <span className="sk sk--badge" aria-hidden="true" />
        <h1 className="sr">Loading...</h1>
        <span className="sk sk--title" aria-hidden="true" />
        <span className="sk sk--info-row" aria-hidden="true" />
        <div className="only-xs jd__when" aria-hidden="true">
          <span className="sk sk--block sk--strip" />
        </div>
      </div>
      <div className="jd__cols" aria-hidden="true">
        <div className="jd__main">
          <Box lines={3} />
          <Box lines={4} />
        </div>
        <div className="jd__side">
          <Box lines={3} />
        </div>
      </div>
    </div>
  );
}

function Box({ lines }: { lines: number }) {
  return (
    <div className="card">
      {Array.from({ length: lines }, (_, place) => place).map((place) => (
        <span key={place} className="sk sk--block sk--button" />
      ))}
    </div>
  );
}
