import { takeAtMost } from '#site/ui/form/text-limit.ts';
import '#site/ui/choice-rows.css';
import './remove-customer.css';
import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { JobView } from '#core/job/view.ts';
import { disputeLimits } from '#core/values/stored-details.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { type AnswerOf, request } from '#site/lib/http/api.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { addDays, addMonths, type Day, dayInMonth, monthOf, spokenDay } from '#site/lib/time/calendar.ts';
import { dayKey } from '#site/lib/time/moments.ts';
import { Sheet } from '#site/ui/Sheet.tsx';
import { changeAndSay } from './change-job-store.ts';

type Dispute = AnswerOf<'GET', `/jobs/${string}/dispute`>['dispute'];

/** How long the details can stay, in months; the first is what most disputes need. */
const spans = [3, 6, disputeLimits.months] as const;

/** The way to say that there is a dispute about a job, so that nothing of it is removed, and that it is over. */
export function DisputeOfJob({ job }: Readonly<{ job: JobView }>) {
  const [isOpen, setOpen] = useState(false);
  if (job.erasedAt) return null;
  return (
    <>
      <button className="remove-customer" type="button" onClick={() => setOpen(true)}>
        There is a dispute about this job…
      </button>
      {isOpen && <DisputeSheet job={job} onClose={() => setOpen(false)} />}
    </>
  );
}

function DisputeSheet({ job, onClose }: Readonly<{ job: JobView; onClose(): void }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [dispute, setDispute] = useState<Dispute | 'failed' | 'loading'>('loading');
  const look = () => {
    setDispute('loading');
    void fetchDispute(job.id).then(setDispute, () => setDispute('failed'));
  };
  // An effect, because the dispute is asked for once the sheet is there.
  useEffect(() => {
    void fetchDispute(job.id).then(setDispute, () => setDispute('failed'));
  }, [job.id]);
  const close = () => dialog.current?.close();
  return (
    <Sheet title="Dispute about this job" dialog={dialog} onClose={onClose}>
      {dispute === 'loading' ? (
        <p className="panel__body" role="status">
          Looking whether there is one…
        </p>
      ) : dispute === 'failed' ? (
        <div className="panel__body">
          <div className="alert alert--warning" role="alert">
            <span>The dispute could not be loaded.</span>
            <button className="btn btn--secondary btn--sm" type="button" onClick={look}>
              Try again
            </button>
          </div>
        </div>
      ) : (
        <DisputeForm jobId={job.id} dispute={dispute} onDone={close} />
      )}
    </Sheet>
  );
}

type FormProps = Readonly<{ jobId: string; dispute: Dispute; onDone(): void }>;

function DisputeForm({ jobId, dispute, onDone }: FormProps) {
  const id = useId();
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone ?? 'UTC';
  const today = dayKey(new Date(), timeZone);
  // One that is there is not made shorter by a press.
  const [months, setMonths] = useState<number>(
    () =>
      spans.find((span) => dispute === null || dayAfter(today, span) >= dispute.until) ??
      disputeLimits.months,
  );
  const [reason, setReason] = useState(dispute?.reason ?? '');
  const [isSending, setSending] = useState(false);
  async function send(change: () => Promise<boolean>): Promise<void> {
    setSending(true);
    const isDone = await change();
    setSending(false);
    if (isDone) onDone();
  }
  return (
    <>
      <div className="panel__body removal">
        {dispute && (
          <p>
            <span>{'The details stay until '}</span>
            <b>{spokenDay(dispute.until)}</b>
            <span>.</span>
          </p>
        )}
        <p>
          While it lasts, nothing of this job is removed: not when you ask for it, and not when the customer
          does.
        </p>
        <fieldset className="removal__others">
          <legend className="field__label">
            {dispute ? 'Keep the details longer' : 'Keep the details for'}
          </legend>
          <div className="rows">
            {spans.map((span) => (
              <label className="row" key={span}>
                <span className="row__text">
                  <span>{`${span} months`}</span>
                  <span className="row__note">{`until ${spokenDay(dayAfter(today, span))}`}</span>
                </span>
                <input
                  type="radio"
                  name={`${id}-span`}
                  checked={months === span}
                  onChange={() => setMonths(span)}
                />
              </label>
            ))}
          </div>
        </fieldset>
        <div className="field">
          <label className="field__label" htmlFor={`${id}-reason`}>
            <span>What is it about?</span>
            <span className="field__optional"> (optional)</span>
          </label>
          <textarea
            className="textarea"
            id={`${id}-reason`}
            rows={3}
            value={reason}
            onChange={takeAtMost(disputeLimits.reason, setReason)}
            aria-describedby={`${id}-hint`}
          />
          <p className="field__hint" id={`${id}-hint`}>
            Only you see this.
          </p>
        </div>
      </div>
      <div className="panel__foot">
        {dispute && (
          <button
            className="btn btn--secondary btn--lg"
            type="button"
            disabled={isSending}
            onClick={() => void send(() => closeDispute(jobId))}
          >
            The dispute is over
          </button>
        )}
        <button
          className="btn btn--primary btn--lg"
          type="button"
          disabled={isSending}
          onClick={() => void send(() => openDispute(jobId, dayAfter(today, months), reason))}
        >
          Keep the details
        </button>
      </div>
    </>
  );
}

/** The same date so many months on, a day before it where that is the limit: the server counts from this hour. */
function dayAfter(today: Day, months: number): Day {
  const day = dayInMonth(today, addMonths(monthOf(today), months));
  return months < disputeLimits.months ? day : addDays(day, -1);
}

async function fetchDispute(jobId: string): Promise<Dispute> {
  return (await request('GET', `${pathOf(jobId)}/dispute`)).dispute;
}

function openDispute(jobId: string, until: Day, reason: string): Promise<boolean> {
  return changeAndSay(jobId, `The details stay until ${spokenDay(until)}`, () =>
    request('PUT', `${pathOf(jobId)}/dispute`, { body: { until, reason } }),
  );
}

function closeDispute(jobId: string): Promise<boolean> {
  return changeAndSay(jobId, 'The dispute is over', () => request('DELETE', `${pathOf(jobId)}/dispute`));
}
