import { useStore } from '@nanostores/react';
import type { JobView } from '#core/job/view.ts';
import { AnswerButton, AnswerButtons } from '#site/jobs/AnswerButtons.tsx';
import { directionsTo } from '#site/jobs/job-words.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ThumbBar } from '#site/ui/ThumbBar.tsx';
import { $changing, changeOnPanel } from './change-job-store.ts';
import { nextStep } from './next-step.ts';

/** What the page opens for a step that is chosen further: the picker or the statuses. */
export type OpenChoice = (choice: 'schedule' | 'status') => void;
type Props = Readonly<{ job: JobView; onOpen: OpenChoice }>;

/** The answer, or Call, Directions and the next step, under the thumb. */
export function JobBar({ job, onOpen }: Props) {
  if (job.status === 'Pending') {
    return (
      <ThumbBar kind="answer" label="Your answer">
        <AnswerButtons job={job} />
      </ThumbBar>
    );
  }
  return (
    <ThumbBar kind="next" label="Do next">
      <Call job={job} variant="btn--stack" />
      <Directions job={job} variant="btn--stack" />
      <NextStepButton job={job} onOpen={onOpen} />
    </ThumbBar>
  );
}

/** The same beside the title, where a laptop has room for it. */
export function HeadControls({ job, onOpen }: Props) {
  return (
    <div className="jd__do">
      <Directions job={job} />
      <Call job={job} />
      <NextStepButton job={job} onOpen={onOpen} />
    </div>
  );
}

function Call({ job, variant = '' }: { job: JobView; variant?: string }) {
  if (!job.phone) return null;
  return (
    <a className={`btn btn--secondary ${variant}`} href={`tel:${job.phone}`}>
      <Icon name="phone" />
      Call
    </a>
  );
}

function Directions({ job, variant = '' }: { job: JobView; variant?: string }) {
  if (job.erasedAt) return null;
  return (
    <a className={`btn btn--secondary ${variant}`} href={directionsTo(job.location)}>
      <Icon name="navigation" />
      Directions
    </a>
  );
}

function NextStepButton({ job, onOpen }: Props) {
  const wanted = useStore($changing, { keys: [job.id], ssr: 'initial' })[job.id];
  const step = nextStep({ ...job, ...wanted });
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
    if (step.kind === 'status') void changeOnPanel(job.id, { status: step.status });
    else onOpen(step.kind === 'schedule' ? 'schedule' : 'status');
  };
  return (
    <button
      type="button"
      className={`btn ${step.isPlain ? 'btn--secondary' : 'btn--primary'}`}
      // A new step is a new button, so that a second tap of a hurried thumb never takes it.
      key={step.label}
      onClick={act}
    >
      <Icon name={step.icon} />
      <span>{step.label}</span>
    </button>
  );
}
