import './waiting-parts.css';
import { useStore } from '@nanostores/react';
import { $session } from '#site/lib/session/session-store.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { ignoreSecondTap } from '#site/ui/screen-store.ts';
import { changeQueue } from './browser-queue.ts';
import { isSent, phoneLater, signInWords } from './waiting-words.ts';

type Props = Readonly<{ jobId: string }>;

function useChangesOf(jobId: string) {
  return useStore(changeQueue.$changes).filter((change) => change.jobId === jobId && !isSent(change));
}

/** What waits of a job: `Accepted, waiting to send`. */
export function Sign({ jobId, withWhen = false }: Props & Readonly<{ withWhen?: boolean | undefined }>) {
  const changes = useChangesOf(jobId);
  const timeZone = useStore($session)?.user?.timeZone;
  const clock = withWhen && timeZone ? { timeZone, now: new Date() } : undefined;
  if (changes.length === 0) return null;
  return (
    <span className="waiting-sign">
      <Icon name="cloud-off" />
      <span>{signInWords(changes, clock)}</span>
    </span>
  );
}

/** Takes back an answer that waits; `path` is where the job is, if there is a way to it. */
export function Undo({ jobId, path }: Props & Readonly<{ path?: string | undefined }>) {
  const answer = useChangesOf(jobId).find(({ change }) => 'answer' in change);
  if (!answer) return null;
  const { id, change, isSending = false, problem } = answer;
  const isAccept = 'answer' in change && change.answer === 'accept';
  return (
    <div className="waiting-undo">
      {isAccept && !problem && <p>{phoneLater}</p>}
      <button
        className="btn btn--secondary"
        type="button"
        aria-label={`Undo, ${answer.job.name}, ${answer.job.title}`}
        aria-disabled={isSending}
        onClick={() => {
          ignoreSecondTap();
          if (!isSending) void changeQueue.drop(id).then(() => focusOn(jobId));
        }}
      >
        <Icon name="undo" />
        <span>Undo</span>
      </button>
      {path && (
        <a
          className="btn btn--secondary"
          href={path}
          aria-label={`Details of ${answer.job.name}, ${answer.job.title}`}
        >
          Details
        </a>
      )}
    </div>
  );
}

/** The pressed button goes with the change. */
function focusOn(jobId: string): void {
  requestAnimationFrame(() => {
    const job = document.querySelector(`[data-job="${CSS.escape(jobId)}"] [data-after-answer]`);
    if (job instanceof HTMLElement && document.activeElement === document.body)
      job.focus({ preventScroll: true });
  });
}
