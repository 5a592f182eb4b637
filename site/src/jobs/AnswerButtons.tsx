import { useStore } from '@nanostores/react';
import type { JobCardView } from '#core/job/view.ts';
import { ignoreSecondTap } from '#site/ui/screen-store.ts';
import { $answering, giveAnswer } from './changes/change-job.ts';
import { useWaiting } from './changes/changes-store.ts';
import { isSetAside, jobLabel } from './job-words.ts';
import type { Answer } from './jobs-api.ts';

type Answerable = Pick<JobCardView, 'id' | 'status' | 'name' | 'title'> &
  Partial<Pick<JobCardView, 'noLongerNeededAt' | 'heldFor'>>;
type Props = Readonly<{ job: Answerable; size?: 'btn--sm' | '' }>;

/** Accept and Reject of a job that waits, both plain where it is set aside; of a rejected job, Accept again. `path` is the way to the job, where a card has no other. */
export function AnswerButtons({ job, size = '', path }: Props & Readonly<{ path?: string }>) {
  const waiting = useWaiting(job.id);
  if (waiting?.answer) return <waiting.Undo jobId={job.id} path={path} />;
  const isRejected = job.status === 'Rejected';
  return (
    <>
      {isRejected ? (
        <button type="button" className={`btn ${size}`} disabled>
          Unavailable
        </button>
      ) : (
        <AnswerButton job={job} answer="reject" size={size} />
      )}
      <AnswerButton job={job} answer="accept" size={size} isPlain={isRejected || isSetAside(job)} />
    </>
  );
}

/** One answer to a job. Accept is in the sun's colour unless it is plain. */
export function AnswerButton({
  job,
  answer,
  size = '',
  isPlain = answer === 'reject',
}: Props & Readonly<{ answer: Answer; isPlain?: boolean }>) {
  const label = answer === 'accept' ? 'Accept' : isSetAside(job) ? 'Clear it' : 'Reject';
  const busy = useStore($answering, { keys: [job.id], ssr: 'initial' })[job.id];
  return (
    <button
      type="button"
      className={`btn ${isPlain ? 'btn--secondary' : 'btn--primary'} ${size}`}
      aria-label={`${label}, ${jobLabel(job)}`}
      aria-busy={busy === answer}
      aria-disabled={busy !== undefined}
      onClick={() => {
        ignoreSecondTap();
        void answerThenRefocus(job.id, answer);
      }}
    >
      {label}
    </button>
  );
}

/**
 * The pressed button may be gone afterwards: the keyboard then goes on at the next job of the group that waits, or at the
 * group's heading; outside a group at the same job, and never at the top.
 */
async function answerThenRefocus(jobId: string, answer: Answer): Promise<void> {
  const pressed = document.activeElement;
  const group = pressed?.closest('[data-answers]');
  const jobs = [...(group?.querySelectorAll('[data-job]') ?? [])];
  const following = jobs.slice(jobs.findIndex((job) => job.contains(pressed)) + 1);
  await giveAnswer(jobId, answer);
  requestAnimationFrame(() => {
    if (pressed?.isConnected && !pressed.matches(':disabled')) return;
    const job = group?.isConnected
      ? following.find((one) => one.isConnected && one.hasAttribute('data-waiting'))
      : document.querySelector(`[data-job="${CSS.escape(jobId)}"]`);
    const next = job?.querySelector('[data-after-answer]') ?? group?.querySelector('[data-answers-heading]');
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  });
}
