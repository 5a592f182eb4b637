import '#site/ui/choice-rows.css';
import './remove-customer.css';
import { useStore } from '@nanostores/react';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { type CorrectionAnswer, type KeepReason, keepReasons } from '#core/values/stored-details.ts';
import { firstNameOf } from '#site/jobs/consumer-details.ts';
import { type HistoryEntry, jobHistory } from '#site/jobs/history/history-store.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { request } from '#site/lib/http/api.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatDay } from '#site/lib/time/moments.ts';
import { wallTime } from '#site/lib/time/zone.ts';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { changeAndSay } from './change-job-store.ts';
import { RemovalSheet } from './RemoveCustomer.tsx';

// Few customers ask for a correction: its form and the search for addresses come with the press.
const CorrectDetails = lazy(async () => {
  const loaded = await import('./CorrectDetails.tsx');
  return { default: loaded.CorrectDetails };
});

/** The reasons as the tradie chooses them. */
const reasonLabels: Readonly<Record<KeepReason, string>> = {
  unfinished: 'The work or its payment is not finished',
  guarantee: 'A guarantee or warranty for the work still runs',
  law: 'A law requires a record of the work',
  dispute: 'There is a dispute about the work',
};

type Entry = Pick<HistoryEntry, 'what' | 'to' | 'revision' | 'at'>;

/** A correction that the customer asked for; `answer` is null before the tradie gave one. */
export type Correction = Readonly<{
  asked: number;
  text: string;
  at: string;
  answer: CorrectionAnswer | null;
}>;

/** The corrections in a history, in the order in which they were asked for. The same words twice are one request. */
export function correctionsIn(entries: readonly Entry[]): Correction[] {
  const asked = entries.flatMap(({ what, revision, to, at }): Correction[] => {
    if (what !== 'correction-asked' || revision === null) return [];
    const answer = entries.find((one) => isAnswer(one.what) && one.to === to)?.what;
    const said = answer === 'correction-agreed' ? 'agreed' : 'refused';
    return [{ asked: revision, text: to ?? '', at, answer: answer ? said : null }];
  });
  return asked.reverse();
}

const isAnswer = (what: string) => what === 'correction-agreed' || what === 'correction-refused';

/** What the customer asked for by the link of their receipt, and is for the tradie to answer; and what they said to an answer. */
export function CustomerRequests({ job }: Readonly<{ job: JobView }>) {
  const zone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const entries = useQuery(jobHistory(job.id)).data?.entries ?? [];
  const isOpen = job.removalAskedAt && !job.erasureDueAt && !hidesContact(job.status);
  const shown = correctionsIn(entries).filter(({ answer }) => answer !== 'agreed');
  useFocusOnceAnswered([
    ...shown.map(({ asked, answer }) => `${asked} ${answer}`),
    ...(isOpen ? ['removal'] : []),
  ]);
  if (job.erasedAt || !zone) return null;
  const day = (at: string) => `${formatDay(at, zone)} ${wallTime(at, zone).year}`;
  return (
    <>
      {isOpen && <RemovalAsked job={job} askedOn={day(job.removalAskedAt ?? '')} />}
      {shown.map((one) => (
        <CorrectionAsked key={one.asked} job={job} correction={one} askedOn={day(one.at)} />
      ))}
    </>
  );
}

/** What was answered goes with the button that had the focus: the job's title takes it, instead of the top of the page. */
function useFocusOnceAnswered(open: readonly string[]): void {
  const before = useRef(open);
  useEffect(() => {
    const isAnswered = before.current.some((one) => !open.includes(one));
    before.current = open;
    if (!isAnswered || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('h1[data-after-answer]')?.focus({ preventScroll: true });
  });
}

function RemovalAsked({ job, askedOn }: Readonly<{ job: JobView; askedOn: string }>) {
  const [sheet, setSheet] = useState<'remove' | 'keep' | null>(null);
  const id = useId();
  return (
    <section className="card jd__asks" aria-labelledby={id}>
      <h2 id={id}>{`${firstNameOf(job)} asks you to remove their details`}</h2>
      <p>
        <span>{'Asked on '}</span>
        <b>{askedOn}</b>
        <span>{`. Remove them, or say why you keep them: the answer goes to ${firstNameOf(job)} by email.`}</span>
      </p>
      <div className="jd__answers">
        <button className="btn btn--secondary" type="button" onClick={() => setSheet('remove')}>
          Remove the details…
        </button>
        <button className="btn btn--secondary" type="button" onClick={() => setSheet('keep')}>
          Keep the details…
        </button>
      </div>
      {sheet === 'remove' && <RemovalSheet job={job} onClose={() => setSheet(null)} />}
      {sheet === 'keep' && <KeepSheet job={job} onClose={() => setSheet(null)} />}
    </section>
  );
}

/** Why the details stay although the customer asked for their removal. */
function KeepSheet({ job, onClose }: Readonly<{ job: JobView; onClose(): void }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [reason, setReason] = useState<KeepReason | null>(null);
  const [isSending, setSending] = useState(false);
  async function keep(chosen: KeepReason): Promise<void> {
    setSending(true);
    const isDone = await refuseRemoval(job.id, chosen);
    setSending(false);
    if (isDone) dialog.current?.close();
  }
  return (
    <Sheet title="Keep the customer’s details" dialog={dialog} onClose={onClose}>
      <div className="panel__body removal">
        <fieldset className="removal__others">
          <legend className="field__label">Why do you keep them?</legend>
          <div className="rows">
            {keepReasons.map((one) => (
              <label className="row" key={one}>
                <span className="row__text">{reasonLabels[one]}</span>
                <input
                  type="radio"
                  name={`${id}-reason`}
                  checked={reason === one}
                  onChange={() => setReason(one)}
                />
              </label>
            ))}
          </div>
        </fieldset>
        <p>{`${firstNameOf(job)} gets an email with this reason, whom to complain to, and the day on which the details will be removed automatically: when the time for which you store them ends. You choose that under Profile, Security.`}</p>
      </div>
      <div className="panel__foot">
        <button
          className="btn btn--primary btn--lg"
          type="button"
          disabled={isSending || reason === null}
          onClick={() => reason && void keep(reason)}
        >
          Keep the details
        </button>
      </div>
    </Sheet>
  );
}

/** The way back from a removal that the customer asked for: it takes a reason, as every refusal does. */
export function KeepAfterAll({ job }: Readonly<{ job: JobView }>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className="btn btn--secondary" type="button" onClick={() => setOpen(true)}>
        Keep the details…
      </button>
      {isOpen && <KeepSheet job={job} onClose={() => setOpen(false)} />}
    </>
  );
}

type AskedProps = Readonly<{ job: JobView; correction: Correction; askedOn: string }>;

/** A correction to be answered, or one that was refused: the statement of the customer. */
function CorrectionAsked({ job, correction: { asked, text, answer }, askedOn }: AskedProps) {
  const id = useId();
  const [isSending, setSending] = useState(false);
  const [isOpen, setOpen] = useState(false);
  async function refuse(): Promise<void> {
    setSending(true);
    await refuseCorrection(job.id, asked);
    setSending(false);
  }
  const name = firstNameOf(job);
  return (
    <section className="card jd__asks" aria-labelledby={id}>
      <h2 id={id}>{answer === null ? `${name} asks for a correction` : `Statement of ${name}`}</h2>
      <p className="said as-typed">{text}</p>
      <p>
        {answer === null ? (
          <>
            <span>{'Asked on '}</span>
            <b>{askedOn}</b>
            <span>{`. If you do not agree, what ${name} wrote stays with the job as their statement. The answer goes to ${name} by email.`}</span>
          </>
        ) : (
          <>
            <span>{'Asked on '}</span>
            <b>{askedOn}</b>
            <span>, and you did not agree.</span>
          </>
        )}
      </p>
      {hidesContact(job.status) && (
        <p>Accept the job to correct the details: until then email and phone are hidden.</p>
      )}
      <div className="jd__answers">
        {job.email !== undefined && (
          <button
            className="btn btn--secondary"
            type="button"
            disabled={isSending}
            onClick={() => setOpen(true)}
          >
            {answer === null ? 'Correct the details…' : 'Correct the details after all…'}
          </button>
        )}
        {answer === null && (
          <button
            className="btn btn--secondary"
            type="button"
            disabled={isSending}
            onClick={() => void refuse()}
          >
            I do not agree
          </button>
        )}
      </div>
      {isOpen && (
        <FaultBoundary>
          <Suspense fallback={null}>
            <CorrectDetails job={job} asked={asked} text={text} onClose={() => setOpen(false)} />
          </Suspense>
        </FaultBoundary>
      )}
    </section>
  );
}

/** Whether the details stay; a failure is shown. */
function refuseRemoval(jobId: string, reason: KeepReason): Promise<boolean> {
  return changeAndSay(jobId, 'The details stay, and the customer is told why', () =>
    request('POST', `${pathOf(jobId)}/erasure/refusal`, { body: { reason } }),
  );
}

function refuseCorrection(jobId: string, asked: number): Promise<boolean> {
  return changeAndSay(jobId, 'It stays as the customer’s statement', () =>
    request('PUT', `${pathOf(jobId)}/corrections/${asked}`, { body: { answer: 'refused' } }),
  );
}
