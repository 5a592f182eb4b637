import { useState } from 'react';
import { useQuery } from '#site/lib/http/use-query.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { historyAppearance, historyTime } from './history-appearance.ts';
import { type HistoryEntry, jobHistory, showEarlier } from './history-store.ts';

/** What happened to a job, in plain words, newest first. */
export function JobHistory({ jobId, timeZone }: { jobId: string; timeZone: string }) {
  const history = jobHistory(jobId);
  const { data, status, fetchStatus } = useQuery(history);
  const [isAsked, setAsked] = useState(false);
  const more = async () => {
    setAsked(true);
    await showEarlier(jobId);
    setAsked(false);
  };
  return (
    <section className="card detail__hist" aria-labelledby="history">
      <h2 id="history">Job history</h2>
      {data ? (
        <>
          <ol className="timeline">
            {data.entries.map((entry) => (
              <Entry key={`${entry.revision ?? entry.id} ${entry.what}`} entry={entry} timeZone={timeZone} />
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
          The history could not be loaded.{' '}
          <button type="button" className="btn btn--secondary btn--sm" onClick={() => void history.refresh()}>
            Try again
          </button>
        </p>
      )}
    </section>
  );
}

function Entry({ entry, timeZone }: { entry: HistoryEntry; timeZone: string }) {
  const { icon, tone } = historyAppearance(entry);
  return (
    <li>
      <span className="dot-icon" data-status={tone}>
        <Icon name={icon} />
      </span>
      <div className="timeline__what">
        {entry.text}
        <time dateTime={entry.at}>{historyTime(entry.at, timeZone, new Date())}</time>
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
