import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { type MouseEvent, useState } from 'react';
import { heldWords } from '#core/job/request/held-words.ts';
import { hidesContact, isUnfinished, listViews } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { AnswerButtons } from '#site/jobs/AnswerButtons.tsx';
import { Age, ScheduleStrip, Who } from '#site/jobs/CardParts.tsx';
import { useWaiting } from '#site/jobs/changes/changes-store.ts';
import {
  consumerDetails,
  type Detail,
  firstNameOf,
  messageOf,
  wishedTimeLabel,
  wishedTimeOf,
  workOrderDetails,
} from '#site/jobs/consumer-details.ts';
import { JobHistory } from '#site/jobs/history/JobHistory.tsx';
import { readPlace, viewPath } from '#site/jobs/list/list-place.ts';
import { JobPhotos } from '#site/jobs/photos/JobPhotos.tsx';
import { AttentionBadge, StatusBadge, UrgentFlag } from '#site/jobs/StatusBadge.tsx';
import { $session } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ContactDetails, TellCustomer } from './ContactDetails.tsx';
import { CustomerRequests } from './CustomerRequests.tsx';
import { HeadControls, JobBar, useJustAccepted } from './JobControls.tsx';
import { $jobId } from './start-job-details.ts';
import { WorkPanel } from './WorkPanel.tsx';

/**
 * One job in full. While it waits for an answer it is a lead: what the customer wrote comes first, and nothing is drawn that
 * cannot be used yet. After that the work on it comes first.
 */
export function JobDetails({ job }: { job: JobView }) {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const [opened, setOpened] = useState<'schedule' | 'status' | null>(null);
  const isLead = job.status === 'Pending';
  const isJustAccepted = useJustAccepted(job);
  const waiting = useWaiting(job.id);
  const shown = { ...job, ...waiting?.job };
  return (
    <div className={isLead ? 'jd jd--lead' : 'jd'} data-job={job.id}>
      <div className="jd__head">
        <BackLink />
        <div className="jd__tags">
          {waiting ? <waiting.Sign jobId={job.id} /> : <StatusBadge job={job} />}
          {job.isUrgent && <UrgentFlag />}
          <AttentionBadge job={job} />
          {isLead && timeZone && <Age at={job.createdAt} timeZone={timeZone} />}
        </div>
        <h1 data-after-answer tabIndex={-1}>
          {job.title}
        </h1>
        <Who job={job} />
        {timeZone && (
          <div className="only-xs jd__when">
            <When job={shown} timeZone={timeZone} />
          </div>
        )}
        {!isLead && <HeadControls job={job} onOpen={setOpened} isJustAccepted={isJustAccepted} />}
      </div>
      <div className="jd__cols">
        <CustomerRequests job={job} />
        <div className="jd__side">
          {isLead && <AnswerCard job={job} timeZone={timeZone} />}
          {!isLead && timeZone && (
            <WorkPanel
              job={job}
              timeZone={timeZone}
              opened={opened}
              onOpen={setOpened}
              onClose={() => setOpened(null)}
            />
          )}
          <TellCustomer job={job} />
        </div>
        <div className="jd__main">
          {isLead && <Message job={job} />}
          <JobPhotos
            job={hidesContact(job.status) ? job : shown}
            timeZone={timeZone}
            className="jd__photos"
          />
          <AboutJob job={job} />
          <ContactDetails job={job} />
          {isLead && !waiting && (
            <div className="only-xs">
              <StillPending />
            </div>
          )}
          {timeZone && <JobHistory job={job} timeZone={timeZone} />}
        </div>
      </div>
      <JobBar job={job} onOpen={setOpened} isJustAccepted={isJustAccepted} />
    </div>
  );
}

/** The lead's answer on a laptop, beside what it is about. On a phone the bar has it: there the card says alone why a lead was held. */
function AnswerCard({ job, timeZone }: { job: JobView; timeZone: string | undefined }) {
  const waiting = useWaiting(job.id);
  return (
    <section
      className={job.heldFor === null ? 'card jd__answer' : 'card jd__answer jd__answer--held'}
      aria-labelledby="answer"
    >
      <h2 id="answer" className="sr">
        Your answer
      </h2>
      {timeZone && (
        <div className="only-lg">
          <When job={job} timeZone={timeZone} />
        </div>
      )}
      {job.heldFor !== null && (
        <div className="alert alert--info">
          <Icon name="info" />
          <p>{heldWords[job.heldFor]}</p>
        </div>
      )}
      <div className="answer2 only-lg">
        <AnswerButtons job={job} />
      </div>
      {!waiting && (
        <div className="only-lg">
          <StillPending />
        </div>
      )}
    </section>
  );
}

function StillPending() {
  return (
    <button className="stateline" type="button" disabled>
      <Icon name="inbox" />
      <span>
        <span>{'Job status '}</span>
        <b>Pending</b>
        <span>{' until you answer'}</span>
      </span>
    </button>
  );
}

/** What the customer of a lead wrote, whole. */
function Message({ job }: { job: JobView }) {
  const message = messageOf(job);
  if (!message || job.workOrderDetails) return null;
  return (
    <section className="card jd__message" aria-labelledby="message">
      <h2 id="message" className="sr">{`What ${firstNameOf(job)} wrote`}</h2>
      <p className="said as-typed">{message}</p>
    </section>
  );
}

/** When the job is; before that is set and while it is to be done, when the customer would like it. */
function When({ job, timeZone }: { job: JobView; timeZone: string }) {
  const wished = wishedTimeOf(job);
  if (job.scheduledAt === null && wished && isUnfinished(job.status)) {
    const isToday = /^today\b/i.test(wished);
    return (
      <p className={isToday ? 'schedule-strip schedule-strip--today' : 'schedule-strip'}>
        <Icon name="calendar-clock" />
        <span className="jd__wish">Would like</span>
        <b>{wished}</b>
      </p>
    );
  }
  if (job.scheduledAt === null && (job.status === 'Pending' || !isUnfinished(job.status))) return null;
  return <ScheduleStrip scheduledAt={job.scheduledAt} timeZone={timeZone} />;
}

/** From so many facts on, the job shows the first of them and folds all. */
const mostFacts = 6;
const firstFacts = 4;
/** What is longer has a row of its own. */
const shortFact = 40;

/** What a job is about: the customer's own words whole, which a lead shows first of all, then short facts; of a work order, what the product says. */
function AboutJob({ job }: { job: JobView }) {
  const region = useStore($session, { ssr: () => null })?.user?.region ?? null;
  if (job.workOrderDetails) return <WorkOrder details={workOrderDetails(job)} />;
  const message = messageOf(job);
  const all = consumerDetails(job, region);
  // A lead shows the wished time at its top.
  const details = job.status === 'Pending' ? all.filter(({ label }) => label !== wishedTimeLabel) : all;
  if (job.status === 'Pending') {
    return (
      details.length > 0 && (
        <section className="card jd__about" aria-labelledby="about">
          <h2 id="about">Job details</h2>
          <Facts details={details} className="kf--3" />
        </section>
      )
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
            <span>{'All answers '}</span>
            <small className="num">{details.length}</small>
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

const $place = atom(readPlace());
const allJobs = { href: viewPath('all'), label: listViews.all.label };

/** From a job back to the list that it was opened from, by its name; to the list of all where it was opened otherwise. */
export function BackLink() {
  const jobId = useStore($jobId, { ssr: 'initial' });
  const place = useStore($place, { ssr: () => null });
  const from = place && place.jobId === jobId ? place : null;
  const { href, label } = from ?? allJobs;

  // The history's way back is the one that has the list as it was left.
  function goBack(event: MouseEvent): void {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (!isPlain || !from || document.referrer !== new URL(from.href, location.href).href) return;
    event.preventDefault();
    history.back();
  }

  return (
    <a className="back" href={href} onClick={goBack}>
      <Icon name="arrow-left" />
      <span>{label}</span>
    </a>
  );
}
