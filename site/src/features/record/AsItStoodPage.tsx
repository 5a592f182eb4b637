import { useStore } from '@nanostores/react';
import type { KeyboardEvent } from 'react';
import type { Elements } from 'react/jsx-runtime';
import type { HistoryClock } from '#site/jobs/history/history-words.ts';
import { historyAppearance } from '#site/jobs/history/JobHistory.tsx';
import { useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatMoment } from '#site/lib/time/moments.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import {
  $address,
  type Address,
  type Change,
  type JobAndChanges,
  jobAndChanges,
  showState,
} from './changes.ts';
import { changeWords, differencesOf, exactMoment } from './record-words.ts';
import { StateOfJob } from './StateOfJob.tsx';

/** A job as it stood after each of its changes, with its waiting, missing and failed states. */
export function AsItStoodPage() {
  const address = useStore($address);
  const timeZone = useStore($session)?.user?.timeZone;
  return (
    <FaultBoundary>
      {address && timeZone ? <Loaded address={address} timeZone={timeZone} /> : <Waiting />}
    </FaultBoundary>
  );
}

function Loaded({ address, timeZone }: Readonly<{ address: Address; timeZone: string }>) {
  const query = jobAndChanges(address.jobId, null);
  const { data, status, error } = useQuery(query);
  const at = address.at ?? data?.changes.at(-1)?.revision;
  // The last change at or before the revision: an event that the history does not show is none.
  const chosen = data?.changes.findLastIndex(({ revision }) => at !== undefined && revision <= at) ?? -1;
  if (data && chosen >= 0) return <States {...data} chosen={chosen} timeZone={timeZone} />;
  if (data || data === null) {
    return (
      <Notice title="Job not found">
        <p>It may belong to another business, or the link lost a letter on the way.</p>
      </Notice>
    );
  }
  if (status !== 'error') return <Waiting />;
  return (
    <Notice title="The changes could not be loaded">
      <p>{error?.message ?? ''}</p>
      <button type="button" className="btn btn--secondary" onClick={() => void query.refresh()}>
        Try again
      </button>
    </Notice>
  );
}

function Notice({ title, children }: { title: string; children: Elements }) {
  return (
    <div className="empty" role="status">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

function Waiting() {
  return (
    <div className="asat" role="status">
      <h1 className="sr">Loading…</h1>
      <span className="sk sk--title" aria-hidden="true" />
      <span className="sk asat__sk" aria-hidden="true" />
      <span className="sk asat__sk" aria-hidden="true" />
    </div>
  );
}

type StatesProps = JobAndChanges & Readonly<{ chosen: number; timeZone: string }>;

function States({ job, changes, chosen, timeZone }: StatesProps) {
  const clock = { timeZone, now: new Date(), createdAt: job.createdAt };
  const change = changes[chosen] as Change;
  const page = `/jobs/details/${encodeURIComponent(job.id)}`;
  const record = `${page}/record?at=${change.revision}`;
  return (
    <div className="asat">
      <div className="list-head">
        <div className="list-head__title">
          <a className="back" href={page}>
            <Icon name="arrow-left" />
            <span>The job now</span>
          </a>
          <h1>{job.title}</h1>
        </div>
        <div className="list-head__tools">
          <a className="btn btn--secondary only-md" href={record}>
            <Icon name="printer" />
            <span>Print this state</span>
          </a>
        </div>
      </div>
      <Differences change={change} clock={clock} />
      <Moments changes={changes} chosen={chosen} clock={clock} />
      <div className="asat__cols">
        <ChangeList changes={changes} chosen={chosen} clock={clock} onChoose={choose} />
        <div className="asat__state">
          <StateOfJob jobId={job.id} change={change} clock={clock} />
          <section className="card asat__record only-sm" aria-labelledby="record">
            <h2 id="record">Record up to here</h2>
            <p>To print and to hand over: what happened up to this change, signed.</p>
            <a className="btn btn--secondary" href={record}>
              <Icon name="printer" />
              <span>Print this state</span>
            </a>
          </section>
        </div>
      </div>
    </div>
  );

  function choose(index: number): void {
    const { revision } = changes[Math.min(Math.max(index, 0), changes.length - 1)] as Change;
    showState(revision);
  }
}

/** What the chosen change replaced. */
function Differences({ change, clock }: Readonly<{ change: Change; clock: HistoryClock }>) {
  const differences = differencesOf(change, clock);
  return (
    <p className="diff" aria-live="polite">
      {differences.map(({ label, from, to }) => (
        <span key={label} className="as-typed">
          <b>{label}</b>
          <span>{': '}</span>
          {from && <del>{from}</del>}
          {from && <span>{' to '}</span>}
          <ins>{to || 'nothing'}</ins>
        </span>
      ))}
      {differences.length === 0 && <span>{changeWords(change, clock)}</span>}
      <span className="num">{`${change.entries[0].who.name}, ${exactMoment(change.at, clock.timeZone)}`}</span>
    </p>
  );
}

type MomentsProps = Readonly<{
  changes: readonly Change[];
  chosen: number;
  clock: Parameters<typeof changeWords>[1];
}>;

/** The slider: one step is one change, whatever time lies between. */
function Moments({ changes, chosen, clock }: MomentsProps) {
  const moment = ({ at }: Change) => formatMoment(at, clock.timeZone, clock.now);
  const change = changes[chosen] as Change;
  const place = `Change ${chosen + 1} of ${changes.length}`;
  const go = (index: number) => {
    const next = changes[index];
    if (next) showState(next.revision);
  };
  const share = changes.length > 1 ? chosen / (changes.length - 1) : 1;
  return (
    <section className="asat__bar" aria-label="Moment">
      <p>
        <strong>{`As at ${moment(change)}`}</strong>
        <span className="num">{`${place}. You only look, nothing changes.`}</span>
      </p>
      <div className="asat__row">
        <button
          className="btn"
          type="button"
          aria-label="One change earlier"
          aria-disabled={chosen === 0}
          onClick={() => go(chosen - 1)}
        >
          <Icon name="chevron-left" />
        </button>
        <input
          ref={(slider) => slider?.style.setProperty('--_p', `${share * 100}%`)}
          className="range"
          type="range"
          min={1}
          max={changes.length}
          value={chosen + 1}
          aria-label="Change"
          aria-valuetext={`${place}, ${moment(change)}, ${changeWords(change, clock)}`}
          onChange={({ target }) => go(Number(target.value) - 1)}
        />
        <button
          className="btn"
          type="button"
          aria-label="One change later"
          aria-disabled={chosen === changes.length - 1}
          onClick={() => go(chosen + 1)}
        >
          <Icon name="chevron-right" />
        </button>
      </div>
      <div className="asat__ticks num" aria-hidden="true">
        <span>{moment(changes[0] as Change)}</span>
        <span>{moment(changes.at(-1) as Change)}</span>
      </div>
    </section>
  );
}

type Props = Readonly<{
  changes: readonly Change[];
  chosen: number;
  clock: HistoryClock;
  onChoose(index: number): void;
}>;

/** Every change, oldest first; one is chosen, and those after it are drawn as not yet there. */
function ChangeList({ changes, chosen, clock, onChoose }: Props) {
  // A browser moves in a group of radio buttons by the arrows alone.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    const index = event.key === 'Home' ? 0 : changes.length - 1;
    onChoose(index);
    event.currentTarget.querySelectorAll('input')[index]?.focus();
  };
  return (
    <section className="card asat__list" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <ol className="chg" onKeyDown={onKeyDown}>
        {changes.map((change, index) => {
          const { icon, tone } = historyAppearance(change.entries[0]);
          return (
            <li key={change.revision}>
              <label className={index > chosen ? 'is-later' : undefined}>
                <input
                  type="radio"
                  name="change"
                  checked={index === chosen}
                  onChange={() => onChoose(index)}
                />
                <span className="dot-icon" data-status={index > chosen ? undefined : tone}>
                  <Icon name={icon} />
                </span>
                <span>
                  <span>{changeWords(change, clock)}</span>
                  <time dateTime={change.at}>{formatMoment(change.at, clock.timeZone, clock.now)}</time>
                </span>
              </label>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
