import { useState } from 'react';
import type { JobStatus } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { statusAppearance } from '#site/jobs/StatusBadge.tsx';
import { useQuery } from '#site/lib/http/query.ts';
import { formatMoment } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';
import { type HistoryEntry, jobHistory, showEarlier } from './history-store.ts';
import { type HistoryClock, historyWords } from './history-words.ts';

const icons: Record<HistoryEntry['what'], IconName | 'ute'> = {
  requested: 'inbox',
  ordered: 'ute',
  added: 'plus',
  opened: 'eye',
  'contact-seen': 'eye',
  'not-needed': 'ban',
  accepted: 'check',
  rejected: 'circle-x',
  'rejection-explained': 'circle-x',
  status: 'refresh-cw',
  schedule: 'calendar-clock',
  notes: 'sticky-note',
  message: 'send',
  undelivered: 'triangle-alert',
  'correction-asked': 'user-round',
  'correction-agreed': 'check',
  'correction-refused': 'x',
  'details-corrected': 'user-round',
  'dispute-opened': 'shield',
  'dispute-closed': 'shield',
  'removal-asked': 'user-round',
  'removal-refused': 'user-round',
  'erasure-planned': 'user-round',
  'erasure-cancelled': 'user-round',
  erased: 'user-round',
  record: 'shield',
  'photo-added': 'camera',
  'photo-described': 'camera',
  'photo-removed': 'camera',
  unreadable: 'circle-alert',
};

/** The sign of an entry; one that led to a status has that status's sign and colours. */
export function historyAppearance({ what, to }: Pick<HistoryEntry, 'what' | 'to'>): {
  icon: IconName | 'ute';
  tone?: string;
} {
  if (what === 'requested' || what === 'ordered') return { icon: icons[what], tone: 'pending' };
  const isMove = what === 'accepted' || what === 'rejected' || what === 'status';
  return isMove && to !== null ? statusAppearance[to as JobStatus] : { icon: icons[what] };
}

type Props = Readonly<{ job: Pick<JobView, 'id' | 'createdAt'>; timeZone: string }>;

/** What happened to a job, in plain words, newest first. */
export function JobHistory({ job: { id: jobId, createdAt }, timeZone }: Props) {
  const history = jobHistory(jobId);
  const { data, status, fetchStatus } = useQuery(history);
  const [isAsked, setAsked] = useState(false);
  const more = async () => {
    setAsked(true);
    await showEarlier(jobId);
    setAsked(false);
  };
  return (
    <section className="card jd__hist" aria-labelledby="history">
      <h2 id="history">Job history</h2>
      {data ? (
        <>
          <ol className="timeline">
            {data.entries.map((entry) => (
              <Entry
                key={`${entry.what === 'undelivered' ? entry.id : entry.revision} ${entry.what}`}
                entry={entry}
                clock={{ timeZone, createdAt, now: new Date() }}
              />
            ))}
          </ol>
          {data.next !== null && (
            <div className="timeline__more">
              {status === 'error' && <p role="alert">Earlier entries could not be loaded.</p>}
              <button
                type="button"
                className="btn btn--secondary btn--sm"
                disabled={isAsked}
                aria-busy={isAsked && fetchStatus === 'fetching'}
                onClick={() => void more()}
              >
                Show earlier
              </button>
            </div>
          )}
        </>
      ) : status === 'pending' ? (
        <HistorySkeleton />
      ) : (
        <p>
          <span>{'The history could not be loaded. '}</span>
          <button type="button" className="btn btn--secondary btn--sm" onClick={() => void history.refresh()}>
            Try again
          </button>
        </p>
      )}
      {/* Not before the history: they would jump when it comes. */}
      {(data || status === 'error') && <Links jobId={jobId} />}
    </section>
  );
}

/** To the job as it stood after each entry, and to what can be handed over of it. */
function Links({ jobId }: { jobId: string }) {
  const page = `/jobs/details/${encodeURIComponent(jobId)}`;
  return (
    <p className="timeline__links">
      <a className="btn btn--secondary btn--sm" href={`${page}/as-at`}>
        <Icon name="history" />
        <span>As it stood</span>
      </a>
      <a className="btn btn--secondary btn--sm" href={`${page}/record`}>
        <Icon name="printer" />
        <span>Job record</span>
      </a>
    </p>
  );
}

function Entry({ entry, clock }: { entry: HistoryEntry; clock: HistoryClock }) {
  const { icon, tone } = historyAppearance(entry);
  const { who, what, to } = historyWords(entry, clock);
  return (
    <li>
      <span className="dot-icon" data-status={tone}>
        <Icon name={icon} />
      </span>
      <div className="timeline__what">
        {who && <b>{who}</b>}
        <span>{` ${what} `}</span>
        {to && <b>{to}</b>}
        <time dateTime={entry.at}>{formatMoment(entry.at, clock.timeZone, clock.now)}</time>
        {entry.what === 'notes' && <Notes from={entry.from} to={entry.to} />}
      </div>
    </li>
  );
}

/** The notes since then, and the notes before. */
function Notes({ from, to }: { from: string | null; to: string | null }) {
  return (
    <>
      {to && <blockquote className="as-typed">{to}</blockquote>}
      {from && (
        <details className="timeline__before">
          <summary>Before</summary>
          <blockquote className="as-typed">{from}</blockquote>
        </details>
      )}
    </>
  );
}

function HistorySkeleton() {
  return (
    <div className="timeline" aria-hidden="true">
      {[1, 2, 3].map((place) => (
        <span key={place} className="sk sk--info-row" />
      ))}
    </div>
  );
}
