import { useStore } from '@nanostores/react';
import type { Elements } from 'react/jsx-runtime';
import { hidesContact, type JobStatus, type WorkingStatus } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { AnswerButton, AnswerButtons } from '#site/jobs/AnswerButtons.tsx';
import { useWaiting } from '#site/jobs/changes/changes-store.ts';
import { directionsTo } from '#site/jobs/job-words.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ignoreSecondTap } from '#site/ui/screen-store.ts';
import { $changing, changeOnPanel } from './change-job-store.ts';
import '#site/ui/thumb-bar.css';
import { useCallback, useState } from 'react';
import type { IconName } from '#site/ui/icons.ts';

/** What the page opens for a step that is chosen further: the picker or the statuses. */
export type OpenChoice = (choice: 'schedule' | 'status') => void;
type Props = Readonly<{ job: JobView; onOpen: OpenChoice; isJustAccepted: boolean }>;

/** The answer, or Call, Directions and the next step, under the thumb. */
export function JobBar({ job, onOpen, isJustAccepted }: Props) {
  if (job.status === 'Pending') {
    return (
      <ThumbBar kind="answer" label="Your answer">
        <AnswerButtons job={job} />
      </ThumbBar>
    );
  }
  return (
    <ThumbBar kind="next" label="Do next">
      <Call job={job} variant="btn--stack" isNext={isJustAccepted} />
      <Directions job={job} variant="btn--stack" />
      <NextStepButton job={job} onOpen={onOpen} isJustAccepted={isJustAccepted} />
    </ThumbBar>
  );
}

/** The same beside the title, where a laptop has room for it. */
export function HeadControls({ job, onOpen, isJustAccepted }: Props) {
  return (
    <div className="jd__do">
      <Directions job={job} />
      <Call job={job} isNext={isJustAccepted} />
      <NextStepButton job={job} onOpen={onOpen} isJustAccepted={isJustAccepted} />
    </div>
  );
}

/** The status that a visit of a job's page met last, and whether the job was accepted on that visit and has not moved on. */
export type AcceptedOnVisit = Readonly<{ id: string; status: JobStatus; isAccepted: boolean }>;

/** A visit, once the job has a status. The same object where nothing changed. */
export function followVisit(visit: AcceptedOnVisit, { id, status }: Pick<JobView, 'id' | 'status'>) {
  if (visit.id === id && visit.status === status) return visit;
  const isAccepted = visit.id === id && hidesContact(visit.status) && !hidesContact(status);
  return { id, status, isAccepted };
}

/** Whether the job was accepted on this visit of its page: ringing is the next step then. */
export function useJustAccepted(job: JobView): boolean {
  const [before, setVisit] = useState({ id: job.id, status: job.status, isAccepted: false });
  const visit = followVisit(before, job);
  if (visit !== before) setVisit(visit);
  return visit.isAccepted && Boolean(job.phone);
}

function Call({ job, variant = '', isNext }: { job: JobView; variant?: string; isNext: boolean }) {
  if (!job.phone) return null;
  return (
    <a className={`btn ${isNext ? 'btn--primary' : 'btn--secondary'} ${variant}`} href={`tel:${job.phone}`}>
      <Icon name="phone" />
      <span>Call</span>
    </a>
  );
}

function Directions({ job, variant = '' }: { job: JobView; variant?: string }) {
  if (job.erasedAt) return null;
  return (
    <a className={`btn btn--secondary ${variant}`} href={directionsTo(job.location)}>
      <Icon name="navigation" />
      <span>Directions</span>
    </a>
  );
}

function NextStepButton({ job, onOpen, isJustAccepted }: Props) {
  const wanted = useStore($changing, { keys: [job.id], ssr: 'initial' })[job.id];
  const waiting = useWaiting(job.id);
  const step = nextStep({ ...job, ...waiting?.job, ...wanted });
  if (waiting?.answer) return <waiting.Undo jobId={job.id} />;
  if (step.kind === 'accept') return <AnswerButton job={job} answer="accept" />;
  if (step.kind === 'record') {
    return (
      <a className="btn btn--secondary" href={`/jobs/details/${encodeURIComponent(job.id)}/record`}>
        <Icon name={step.icon} />
        <span>{step.label}</span>
      </a>
    );
  }
  const act = () => {
    ignoreSecondTap();
    if (step.kind === 'status') void changeOnPanel(job.id, { status: step.status });
    else onOpen(step.kind === 'schedule' ? 'schedule' : 'status');
  };
  return (
    <button
      type="button"
      className={`btn ${step.isPlain || isJustAccepted ? 'btn--secondary' : 'btn--primary'}`}
      // A new step is a new button, so that a press that began on the one before never takes it.
      key={step.label}
      data-next-step
      onClick={act}
    >
      <Icon name={step.icon} />
      <span>{step.label}</span>
    </button>
  );
}

/** The property of the page's root with the height of its thumb bar in pixels; absent while none is drawn. */
const heightProperty = '--thumbbar-h';

type ThumbBarProps = Readonly<{
  /** `answer`: Reject and Accept. `next`: Call, Directions and the next step. */
  kind: 'answer' | 'next';
  /** What the controls are for, for screen readers. */
  label: string;
  children: Elements;
}>;

/**
 * What a thumb reaches: the controls of the page in a bar at its lower end, on phones and tablets. On a laptop it is not
 * drawn, and the page has the controls elsewhere. Its real height is in `--thumbbar-h`, for what lies above it.
 */
function ThumbBar({ kind, label, children }: ThumbBarProps) {
  const measure = useCallback((bar: HTMLDivElement) => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      if (bar.offsetHeight > 0) style.setProperty(heightProperty, `${bar.offsetHeight}px`);
      else style.removeProperty(heightProperty);
    });
    observer.observe(bar, { box: 'border-box' });
    return () => {
      observer.disconnect();
      style.removeProperty(heightProperty);
    };
  }, []);
  return (
    <div ref={measure} className={`thumbbar thumbbar--${kind}`} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** What the main button of a job does. `isPlain`: nothing is the likely next, so it is no button in the sun's colour. */
export type NextStep = Readonly<{ label: string; icon: IconName; isPlain?: true }> &
  (
    | Readonly<{ kind: 'accept' | 'schedule' | 'choose-status' | 'record' }>
    | Readonly<{ kind: 'status'; status: WorkingStatus }>
  );

/** The status that usually comes after one; null where none does. */
export function likelyStatus(status: JobStatus): WorkingStatus | null {
  const after: Partial<Record<JobStatus, WorkingStatus>> = {
    'To quote': 'Quoted',
    Quoted: 'In progress',
    'In progress': 'Completed',
    Completed: 'Invoice sent',
    'Invoice sent': 'Paid',
  };
  return after[status] ?? null;
}

/** The one step that a job of this status usually takes next. A job without a time is given one before it is quoted. */
export function nextStep({ status, scheduledAt }: Pick<JobView, 'status' | 'scheduledAt'>): NextStep {
  switch (status) {
    case 'Pending':
    case 'Rejected':
      return { kind: 'accept', label: 'Accept', icon: 'check' };
    case 'To quote':
      return scheduledAt === null
        ? { kind: 'schedule', label: 'Set a time', icon: 'calendar' }
        : { kind: 'status', status: 'Quoted', label: 'Mark quoted', icon: 'file-check' };
    case 'Quoted':
      return { kind: 'status', status: 'In progress', label: 'Start the job', icon: 'hammer' };
    case 'In progress':
      return { kind: 'status', status: 'Completed', label: 'Mark completed', icon: 'check' };
    case 'Completed':
      return { kind: 'status', status: 'Invoice sent', label: 'Invoice sent', icon: 'send' };
    case 'Invoice sent':
      return { kind: 'status', status: 'Paid', label: 'Paid', icon: 'circle-dollar-sign' };
    case 'Paid':
      return { kind: 'record', label: 'Print record', icon: 'printer', isPlain: true };
    case 'Unsuccessful':
      return { kind: 'choose-status', label: 'Change status', icon: 'refresh-cw', isPlain: true };
    default:
      return status satisfies never;
  }
}
