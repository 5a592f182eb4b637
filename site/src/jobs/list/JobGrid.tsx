import type { Elements } from 'react/jsx-runtime';
import './job-grid.css';
import { useStore } from '@nanostores/react';
import { type ComponentProps, lazy, Suspense, startTransition, useEffect, useState } from 'react';
import { $jobCards, jobDetails } from '#site/jobs/job-stores.ts';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { useQuery } from '#site/lib/http/query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { $isPhone } from '#site/ui/screen-store.ts';
import { Jobs, JobsSkeleton, NewGroups } from './Jobs.tsx';
import { clearSearch } from './job-list-page-store.ts';
import { $justAdded, $moreJobs, type JobListQuestion, jobList, loadMoreJobs } from './job-list-store.ts';
import {
  $listAppearances,
  appearanceOf,
  type ListAppearance,
  usualAppearances,
} from './list-appearance-store.ts';
import { isRestoringPlace } from './list-place.ts';
import { Steady } from './Steady.tsx';
import { useArrivals } from './use-arrivals.ts';

type Props = Readonly<{ question: JobListQuestion }>;

/** The jobs of a list, with its waiting, empty and failed states. */
export function JobGrid({ question }: Props) {
  const list = jobList(question);
  const state = useQuery(list);
  const { status, data, error } = state;
  const cards = useStore($jobCards, { ssr: 'initial' });
  const appearance = appearanceOf(question.view, useStore($listAppearances, { ssr: () => usualAppearances }));
  const added = useAdded(question);
  const held = useArrivals(list);
  if (!data) {
    return status === 'error' ? (
      <Failed message={error?.message} retry={() => void list.refresh()} />
    ) : (
      <>
        <OfflineNote shown={state} />
        <JobsSkeleton view={question.view} appearance={appearance} />
      </>
    );
  }
  const jobs = data.ids.filter((id) => id !== added && !held.includes(id)).flatMap((id) => cards[id] ?? []);
  if (jobs.length === 0 && !added) return <Empty question={question} />;
  const { timeZone } = question;
  const more = data.hasMore && <More key={data.pages} question={question} />;
  return (
    <Steady>
      <OfflineNote shown={state} />
      {question.search && (
        <p className="sr" role="status">
          {jobs.length === 1 ? '1 job matches' : `${jobs.length}${data.hasMore ? ' or more' : ''} jobs match`}
        </p>
      )}
      {added && <JustAdded key={added} jobId={added} timeZone={timeZone} appearance={appearance} />}
      {question.view === 'new' ? (
        <>
          <NewGroups
            jobs={jobs}
            timeZone={timeZone}
            appearance={appearance}
            hasMore={data.hasMore}
            isSearch={question.search !== ''}
          />
          {more}
        </>
      ) : (
        <InOrder jobs={jobs} timeZone={timeZone} appearance={appearance}>
          {more}
        </InOrder>
      )}
    </Steady>
  );
}

/** More jobs than a window shows: cards on a phone, and all else. */
const AT_ONCE = { cardsOfPhone: 4, other: 9 } as const;

type InOrderProps = ComponentProps<typeof Jobs> & Readonly<{ children: Elements }>;

/**
 * The first jobs at once, and the rest with what follows it in pieces of as many: between two of them the page answers a press, and
 * each is laid out by itself.
 */
function InOrder({ jobs, children, ...shown }: InOrderProps) {
  const isOfPhone = shown.appearance === 'cards' && $isPhone.get();
  const piece = isOfPhone ? AT_ONCE.cardsOfPhone : AT_ONCE.other;
  // Once all are drawn, what comes later is drawn as it comes.
  const [count, setCount] = useState(jobs.length > piece ? piece : Number.POSITIVE_INFINITY);
  const isWhole = count === Number.POSITIVE_INFINITY;
  useEffect(() => {
    const next = isRestoringPlace() ? Number.POSITIVE_INFINITY : count + piece;
    if (!isWhole) startTransition(() => setCount(next < jobs.length ? next : Number.POSITIVE_INFINITY));
  }, [isWhole, count, piece, jobs.length]);
  return (
    <>
      {jobs.length > 0 && <Jobs jobs={jobs.slice(0, count)} {...shown} />}
      {isWhole && children}
    </>
  );
}

/** The job that was just added, where its list is on screen whole. */
function useAdded({ view, search }: JobListQuestion): string | null {
  const added = useStore($justAdded, { ssr: 'initial' });
  return view === 'new' && search === '' ? added : null;
}

/** Loads the next page as it comes into sight, or on a press where that failed. */
function More({ question }: Props) {
  const state = useStore($moreJobs, { ssr: 'initial' });
  const watch = (button: HTMLButtonElement) => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void loadMoreJobs(question),
      { rootMargin: '600px' },
    );
    observer.observe(button);
    return () => observer.disconnect();
  };
  return (
    <p className="job-more">
      <button
        // A new observer reports what is in sight at once: after a failure it would ask again without an end.
        ref={state === 'failed' ? null : watch}
        type="button"
        className="btn btn--secondary"
        aria-busy={state === 'loading'}
        onClick={({ currentTarget }) => void showMore(question, currentTarget)}
      >
        {state === 'failed' ? 'Try again' : 'Show more jobs'}
      </button>
    </p>
  );
}

/** The pressed button goes with the page that comes: the keyboard goes on at the first job of it. */
async function showMore(question: JobListQuestion, pressed: Element): Promise<void> {
  const shown = document.querySelectorAll('main [data-job]').length;
  await loadMoreJobs(question);
  requestAnimationFrame(() => {
    if (pressed.isConnected) return;
    const came = document.querySelectorAll('main [data-job]')[shown];
    came?.querySelector<HTMLElement>('[data-after-answer]')?.focus({ preventScroll: true });
  });
}

// Few visits meet an empty list. Where it cannot be loaded, its title stands alone.
const NoJobs = lazy(async () => {
  const loaded = await import('./NoJobs.tsx').catch(() => null);
  return { default: loaded?.NoJobs ?? EmptyTitle };
});

function Empty({ question: { view, search } }: Props) {
  if (!search) {
    const title = view === 'today' ? 'No jobs today' : 'No jobs found';
    return (
      <div className="empty empty--jobs" role="status">
        <Suspense fallback={<EmptyTitle title={title} />}>
          <NoJobs title={title} />
        </Suspense>
      </div>
    );
  }
  return (
    <div className="empty" role="status">
      <span className="empty__sign">
        <Icon name="search" />
      </span>
      <h2>No jobs found</h2>
      <p>{`Nothing matches “${search}”. Try a name, a street or fewer letters.`}</p>
      <button type="button" className="btn btn--secondary" onClick={clearSearch}>
        Clear search
      </button>
    </div>
  );
}

function EmptyTitle({ title }: Readonly<{ title: string }>) {
  return <h2>{title}</h2>;
}

function Failed({ message, retry }: { message: string | undefined; retry(): void }) {
  return (
    <div className="empty" role="alert">
      <span className="empty__sign empty__sign--error">
        <Icon name="triangle-alert" />
      </span>
      <h2>Your jobs could not be loaded</h2>
      <p>{message}</p>
      <button type="button" className="btn btn--secondary" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

type AddedProps = Readonly<{ jobId: string; timeZone: string; appearance: ListAppearance }>;

const bringIntoView = (section: HTMLElement | null) => section?.scrollIntoView({ block: 'nearest' });

/** The job that was just added, in sight: its own place is at the end of a list that may be long. */
function JustAdded({ jobId, timeZone, appearance }: AddedProps) {
  useQuery(jobDetails(jobId));
  const job = useStore($jobCards, { keys: [jobId], ssr: 'initial' })[jobId];
  if (!job) return null;
  return (
    <section className="just-added" aria-labelledby="just-added" ref={bringIntoView}>
      <h2 id="just-added" className="just-added__title">
        Just added
      </h2>
      <Jobs jobs={[job]} timeZone={timeZone} appearance={appearance} />
    </section>
  );
}
