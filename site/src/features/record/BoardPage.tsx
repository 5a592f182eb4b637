import type { Elements } from 'react/jsx-runtime';
import '#site/jobs/job-row.css';
import './board.css';
import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { type SubmitEvent, useState } from 'react';
import { isListView, type ListView, listViewNames, listViews } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { $minute, PictureCount, PlaceParts } from '#site/jobs/CardParts.tsx';
import { jobLabel } from '#site/jobs/job-words.ts';
import { showChosen, viewPath } from '#site/jobs/list/list-place.ts';
import { AttentionBadge, StatusIcon, statusInWords, UrgentFlag } from '#site/jobs/StatusBadge.tsx';
import type { QueryOf } from '#site/lib/http/api.ts';
import { query, useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import type { Day } from '#site/lib/time/calendar.ts';
import { dayKey, formatDateTime, instantAt } from '#site/lib/time/moments.ts';
import { wallTime } from '#site/lib/time/zone.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { LoadFailure } from '#site/ui/PanelStates.tsx';

/** The moment, as ISO 8601 in UTC, and the list that is shown of it. */
type Address = Readonly<{ at: string; view: ListView }>;

const DAY = 24 * 60 * 60_000;
const address = atom<Address | null>(null);

/** Takes `/jobs/as-at?at=…&view=…` over. Without a moment that has passed it is now. */
export function openBoard(): void {
  const { searchParams } = new URL(location.href);
  const [at, view] = [Date.parse(searchParams.get('at') ?? ''), searchParams.get('view')];
  address.set({
    at: new Date(Math.min(at || Date.now(), Date.now())).toISOString(),
    view: isListView(view) ? view : 'all',
  });
}

function pathOf({ at, view }: Address): string {
  return `/jobs/as-at?at=${at}&view=${view}`;
}

/** The address follows, so that a board can be sent and gone back to. */
function show(next: Address): void {
  history.pushState(history.state, '', pathOf(next));
  address.set(next);
}

const countsAt = (at: string) =>
  query(`board-counts:${at}`, (_, read) => read(`/jobs/count?at=${encodeURIComponent(at)}`));

function pageOfBoard({ at, view }: Address, page: number) {
  const { filter, sort, dir } = listViews[view];
  const asked = new URLSearchParams({
    at,
    page: String(page),
    sort,
    dir,
    filter,
  } satisfies QueryOf<'GET', '/jobs'>);
  return query(`board:${asked}`, (_, read) => read(`/jobs?${asked}`));
}

/** The jobs of a business as they stood at a moment, to look at alone. */
export function BoardPage() {
  const shown = useStore(address);
  const timeZone = useStore($session)?.user?.timeZone;
  return (
    <FaultBoundary>
      <div className="board">
        <div className="list-head">
          <div className="list-head__title">
            <a className="back" href={viewPath(shown?.view ?? 'all')}>
              <Icon name="arrow-left" />
              <span>The jobs now</span>
            </a>
            <h1>As it stood</h1>
          </div>
        </div>
        {shown && timeZone ? <Board shown={shown} timeZone={timeZone} /> : <Waiting />}
      </div>
    </FaultBoundary>
  );
}

type Props = Readonly<{ shown: Address; timeZone: string }>;

function Board({ shown, timeZone }: Props) {
  const counts = useQuery(countsAt(shown.at)).data;
  return (
    <>
      <Moment shown={shown} timeZone={timeZone} size={counts?.asAt?.size} />
      <nav
        className="chips chips--scroll chips--views"
        aria-label="Lists at that moment"
        // Each time it is drawn: the counts make the row wider than a phone.
        ref={(chips) => showChosen(chips)}
      >
        {listViewNames.map((view) => (
          <a
            key={view}
            className="chip"
            href={pathOf({ ...shown, view })}
            aria-current={view === shown.view ? 'page' : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              show({ ...shown, view });
            }}
          >
            <span>{listViews[view].label}</span>
            <span className="chip__count">{counts ? counts.count[listViews[view].count] : '–'}</span>
          </a>
        ))}
      </nav>
      <h2 className="sr">Jobs</h2>
      <Pages key={pathOf(shown)} shown={shown} timeZone={timeZone} />
    </>
  );
}

/** Which moment it is, and how to get to another. Days are stepped through; a day and a time are typed or picked. */
function Moment({ shown, timeZone, size }: Props & Readonly<{ size: number | undefined }>) {
  const now = new Date(useStore($minute));
  const at = Date.parse(shown.at);
  const [typed, setTyped] = useState(() => fieldsOf(shown.at, timeZone));
  if (typed.at !== shown.at) setTyped(fieldsOf(shown.at, timeZone));
  const go = (time: number) => show({ ...shown, at: new Date(time).toISOString() });
  const isLast = at + DAY > now.getTime();
  const log = size === undefined ? '' : `, log ${thousands(size)}`;

  function choose(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const instant = typed.day && typed.time ? instantAt(typed.day as Day, typed.time, timeZone) : undefined;
    const problem = problemWith(instant);
    if (problem) setTyped({ ...typed, problem });
    else if (instant) go(instant.getTime());
  }

  return (
    <section className="board__bar" aria-label="Moment">
      <p role="status">
        <strong>{`Board at ${formatDateTime(shown.at, timeZone, now)}${log}`}</strong>
        <span>You only look, nothing changes.</span>
      </p>
      <form className="board__row" noValidate onSubmit={choose}>
        <button className="btn" type="button" aria-label="One day earlier" onClick={() => go(at - DAY)}>
          <Icon name="chevron-left" />
        </button>
        <label className="board__day">
          <span className="sr">Day</span>
          <input
            className="input"
            type="date"
            name="day"
            max={dayKey(now, timeZone)}
            value={typed.day}
            onChange={({ target }) => setTyped({ ...typed, day: target.value })}
          />
        </label>
        <button
          className="btn"
          type="button"
          aria-label="One day later"
          aria-disabled={isLast}
          onClick={() => !isLast && go(at + DAY)}
        >
          <Icon name="chevron-right" />
        </button>
        <label className="board__time">
          <span className="sr">Time</span>
          <input
            className="input"
            type="time"
            name="time"
            value={typed.time}
            onChange={({ target }) => setTyped({ ...typed, time: target.value })}
          />
        </label>
        <button className="btn board__show" type="submit">
          Show
        </button>
      </form>
      {typed.problem && <p role="alert">{typed.problem}</p>}
    </section>
  );
}

/** The fields for a moment: `2026-11-01` and `09:05`, and what is wrong with what was typed. */
function fieldsOf(at: string, timeZone: string) {
  const { hour, minute } = wallTime(at, timeZone);
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return { at, day: dayKey(at, timeZone) as string, time, problem: '' };
}

/** Why a moment cannot be shown: undefined where one is missing, null where no clock shows it. Empty where it can. */
function problemWith(instant: Date | null | undefined): string {
  if (instant === undefined) return 'Choose a day and a time.';
  if (instant === null) return 'The clocks skip that time. Choose another.';
  return instant.getTime() > Date.now() ? 'Choose a moment that has passed.' : '';
}

/** `4,101,220` */
function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** As many pages of 75 as were asked for. */
function Pages({ shown, timeZone }: Props) {
  const [asked, setAsked] = useState(1);
  return Array.from({ length: asked }, (_, n) => n + 1).map((page) => (
    <Page key={page} shown={shown} timeZone={timeZone} page={page}>
      {page === asked && (
        <p className="job-more">
          <button className="btn btn--secondary" type="button" onClick={() => setAsked(asked + 1)}>
            Show more jobs
          </button>
        </p>
      )}
    </Page>
  ));
}

type PageProps = Props & Readonly<{ page: number; children: Elements }>;

/** `children` stand below it where there are more jobs. */
function Page({ shown, timeZone, page, children }: PageProps) {
  const asked = pageOfBoard(shown, page);
  const { data, status, error } = useQuery(asked);
  if (!data) {
    return status === 'error' ? (
      <LoadFailure message={error?.message ?? ''} onAgain={asked.refresh} />
    ) : (
      <Waiting />
    );
  }
  if (data.jobs.length === 0) {
    return (
      <div className="empty" role="status">
        <h2>No jobs then</h2>
        <p>In this list there were none at that moment.</p>
      </div>
    );
  }
  return (
    <>
      <div className="card stack-card board__jobs">
        {data.jobs.map((job) => (
          <Row key={job.id} job={job} at={shown.at} timeZone={timeZone} />
        ))}
      </div>
      {data.more && children}
    </>
  );
}

/** A job as it stood, without anything to do. Its name leads to its changes. */
function Row({ job, at, timeZone }: Readonly<{ job: JobCardView; at: string; timeZone: string }>) {
  return (
    <article className="jrow" aria-label={jobLabel(job)} data-job={job.id}>
      <div className="jrow__main jrow__main--status">
        <div className="jrow__lead">
          <StatusIcon job={job} isNamed />
        </div>
        <div className="jrow__body">
          <a
            className="jrow__name"
            href={`/jobs/details/${job.id}/as-at?at=${job.revision}`}
            aria-label={jobLabel(job)}
          >
            {job.name}
          </a>
          <p className="jrow__what">{job.title}</p>
          <p className="jrow__meta">
            <PlaceParts location={job.location} />
            <span className="num">
              {job.scheduledAt ? formatDateTime(job.scheduledAt, timeZone, new Date()) : 'No time yet'}
            </span>
            <span className="jrow__status">{statusInWords(job)}</span>
            <PictureCount pictures={job.pictures} />
          </p>
          <div className="jrow__tags">
            {job.isUrgent && <UrgentFlag />}
            <AttentionBadge job={job} now={new Date(at)} />
          </div>
        </div>
      </div>
    </article>
  );
}

function Waiting() {
  return (
    <div role="status">
      <span className="sr">Loading…</span>
      <span className="sk board__sk" aria-hidden="true" />
    </div>
  );
}
