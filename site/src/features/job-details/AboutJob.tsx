import { useStore } from '@nanostores/react';
import type { JobView } from '#core/job/view.ts';
import {
  consumerDetails,
  type Detail,
  firstNameOf,
  messageOf,
  wishedTimeLabel,
  workOrderDetails,
} from '#site/jobs/consumer-details.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';

/** From so many facts on, the job shows the first of them and folds all. */
const mostFacts = 6;
const firstFacts = 4;
/** What is longer has a row of its own. */
const shortFact = 40;

/** What a job is about: the customer's own words whole, then short facts; of a work order, what the product says. */
export function AboutJob({ job }: { job: JobView }) {
  const region = useStore($session, { ssr: () => null })?.user?.region ?? null;
  if (job.workOrderDetails) return <WorkOrder details={workOrderDetails(job)} />;
  const message = messageOf(job);
  const all = consumerDetails(job, region);
  // A lead shows the wished time at its top.
  const details = job.status === 'Pending' ? all.filter(({ label }) => label !== wishedTimeLabel) : all;
  if (job.status === 'Pending') {
    return (
      <>
        {message && (
          <section className="card jd__message" aria-labelledby="message">
            <h2 id="message" className="sr">
              What {firstNameOf(job)} wrote
            </h2>
            <p className="said as-typed">{message}</p>
          </section>
        )}
        {details.length > 0 && (
          <section className="card jd__about" aria-labelledby="about">
            <h2 id="about">Job details</h2>
            <Facts details={details} className="kf--3" />
          </section>
        )}
      </>
    );
  }
  if (!message && details.length === 0) return null;
  const isFolded = details.length > mostFacts;
  return (
    <section className="card jd__about" aria-labelledby="about">
      <h2 id="about">Job details</h2>
      {message && <p className="said as-typed">{message}</p>}
      <Facts details={isFolded ? details.slice(0, firstFacts) : details} />
      {isFolded && (
        <details className="fold">
          <summary>
            All answers <small className="num">{details.length}</small>
            <Icon name="chevron-down" />
          </summary>
          <Facts details={details} />
        </details>
      )}
    </section>
  );
}

function Facts({ details, className = '' }: { details: readonly Detail[]; className?: string }) {
  return (
    <dl className={`kf ${className}`}>
      {details.map(({ label, text }) => (
        <div key={label} className={text.length > shortFact ? 'kf__wide' : undefined}>
          <dt>{label}</dt>
          <dd className="as-typed">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function WorkOrder({ details }: { details: readonly Detail[] }) {
  return (
    <section className="card jd__message" aria-labelledby="about">
      <h2 id="about">Work order</h2>
      <dl className="kf">
        {details.map(({ label, text, href }) => (
          <div key={label} className="kf__wide">
            <dt>{label}</dt>
            <dd className="as-typed">{href ? <a href={href}>{text}</a> : text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
