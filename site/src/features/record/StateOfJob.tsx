import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { JobView } from '#core/job/view.ts';
import { formatPhone } from '#core/values/phone.ts';
import { consumerDetails, messageOf, workOrderDetails } from '#site/jobs/consumer-details.ts';
import type { HistoryClock } from '#site/jobs/history/history-words.ts';
import { photosOf } from '#site/jobs/photos/photos-of.ts';
import { StatusBadge, UrgentFlag } from '#site/jobs/StatusBadge.tsx';
import { useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatDateTime } from '#site/lib/time/moments.ts';
import { LoadFailure } from '#site/ui/PanelStates.tsx';
import { type Change, jobAsItStood } from './changes.ts';

/** What is longer has a row of its own, as has an email, which cannot be broken. */
const longFact = 40;

type Props = Readonly<{ jobId: string; change: Change; clock: HistoryClock }>;

/** The job right after a change, to look at alone. */
export function StateOfJob({ jobId, change, clock }: Props) {
  const query = jobAsItStood(jobId, change.revision);
  const { data, status, error } = useQuery(query);
  // Until the next state is there the one before it stays, so that nothing jumps under the slider.
  const last = useRef<JobView | null>(null);
  useEffect(() => {
    if (data) last.current = data;
  }, [data]);
  const shown = data ?? last.current;
  if (status === 'error' || data === null)
    return (
      <section className="card">
        <LoadFailure message={error?.message ?? 'This state could not be loaded'} onAgain={query.refresh} />
      </section>
    );
  if (shown) return <State job={shown} clock={clock} isStale={!data} />;
  return (
    <span className="sk asat__sk" role="status">
      <span className="sr">Loading…</span>
    </span>
  );
}

type StateProps = Readonly<{ job: JobView; clock: HistoryClock; isStale: boolean }>;

function State({ job, clock: { timeZone, now }, isStale }: StateProps) {
  const region = useStore($session)?.user?.region ?? null;
  const { photos, documents } = photosOf(job);
  const message = messageOf(job);
  const facts = [
    { label: 'Customer', text: job.name },
    {
      label: 'Schedule',
      text: job.scheduledAt ? formatDateTime(job.scheduledAt, timeZone, now) : 'Not scheduled yet',
    },
    { label: 'Notes', text: job.notes || 'None yet' },
    { label: 'Photos', text: photos.length ? String(photos.length) : 'None' },
    ...(documents.length ? [{ label: 'Documents', text: documents.map(({ name }) => name).join(', ') }] : []),
    ...(job.workOrderDetails ? workOrderDetails(job) : consumerDetails(job, region)),
    { label: 'Address', text: job.location.address },
    ...(job.phone ? [{ label: 'Phone', text: formatPhone(job.phone, region) }] : []),
    ...(job.email ? [{ label: 'Email', text: job.email }] : []),
  ];
  return (
    <section className="card asat__job" aria-labelledby="state" aria-busy={isStale}>
      <div className="asat__tags">
        <StatusBadge job={job} />
        {job.isUrgent && <UrgentFlag />}
      </div>
      <h2 id="state">The job at that moment</h2>
      {message && <p className="said as-typed">{message}</p>}
      <dl className="kf">
        {facts.map(({ label, text }) => (
          <div key={label} className={text.length > longFact || label === 'Email' ? 'kf__wide' : undefined}>
            <dt>{label}</dt>
            <dd className="as-typed">{text}</dd>
          </div>
        ))}
      </dl>
      {photos.length > 0 && (
        <ul className="thumbs" aria-label="Photos">
          {photos.map(({ key, url, thumb, label }) => (
            <li key={key}>
              <a className="thumb2" href={url} aria-label={label}>
                <img src={thumb} alt="" width="96" height="96" loading="lazy" />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
