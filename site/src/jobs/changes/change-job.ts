import { map } from 'nanostores';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { JobCardView, JobView } from '#core/job/view.ts';
import { suburbIn } from '#core/values/place.ts';
import { $jobCards, jobCounts, storeJob } from '#site/jobs/job-stores.ts';
import { type Answer, answerJob, undoChange } from '#site/jobs/jobs-api.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { formatDateTime } from '#site/lib/time/moments.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { waitForSignal } from './wait-for-signal.ts';

/** Where the toasts of a job appear: a newer change takes the place of the one before. */
const slotOf = (jobId: string) => `job:${jobId}`;

type ChangeDeps = Readonly<{
  undoChange: typeof undoChange;
  storeJob: typeof storeJob;
  refreshQueries: typeof refreshQueries;
  toast: Pick<typeof toast, 'success' | 'info' | 'error'>;
}>;

/** Shows what changes of jobs were answered with, and takes them back. */
export function createShownChanges(deps: ChangeDeps) {
  /**
   * Takes over a job as a change of it was answered, and shows what changed in a toast with Undo. `before` is the job as it was
   * known when the change was sent: the live connection may bring the new one before its answer.
   */
  function showChanged(
    before: Known | undefined,
    job: JobView,
    text: string,
    kind: 'success' | 'info' = 'success',
  ): void {
    const detail = changeInWords(before, job, $session.get()?.user?.timeZone ?? null, new Date());
    deps.storeJob(job);
    deps.toast[kind](text, { slot: slotOf(job.id), detail, undo: undoOf(job) });
  }

  /**
   * What Undo does in the toast of a change: takes back all that led to the job as it was answered; of notes that were
   * saved piece by piece, everything from the answer with revision `since` on.
   */
  function undoOf({ id, revision }: JobView, since?: number): () => Promise<void> {
    const takeBack = () => deps.undoChange(id, since === undefined ? { revision } : { revision, since });
    return async () => {
      try {
        deps.storeJob(
          await takeBack().catch((error: ApiError) => {
            // The answer alone may have been lost, and a repeat takes nothing more back.
            if (error.status) throw error;
            return takeBack();
          }),
        );
        deps.toast.info('Your change was undone', { slot: slotOf(id) });
      } catch (error) {
        const message = error instanceof ApiError ? error.message : unknownFailure;
        deps.toast.error(message, { title: 'Not undone', slot: slotOf(id) });
      }
      deps.refreshQueries((key) => key.startsWith('job'));
    };
  }

  return { showChanged, undoOf };
}

export const { showChanged, undoOf } = createShownChanges({ undoChange, storeJob, refreshQueries, toast });

type Known = Pick<JobCardView, 'status' | 'scheduledAt'>;

/**
 * What a change made of a job: `Completed, was In progress`, `Moved to Wed 25 Nov, 10:00AM`; of an answer to it, and where
 * neither changed or the job before is unknown, whose it is and where: `Priya Raman, Brunswick`.
 */
export function changeInWords(
  before: Known | undefined,
  { status, scheduledAt, name, location }: Known & Pick<JobCardView, 'name' | 'location'>,
  timeZone: string | null,
  now: Date,
): string {
  const isAnswer = before === undefined || hidesContact(before.status) || hidesContact(status);
  if (!isAnswer && before.status !== status) return `${status}, was ${before.status}`;
  if (!isAnswer && before.scheduledAt !== scheduledAt) {
    if (scheduledAt === null) return 'Taken off the schedule';
    if (timeZone) {
      return `${before.scheduledAt ? 'Moved to' : 'Set for'} ${formatDateTime(scheduledAt, timeZone, now)}`;
    }
  }
  return [name, suburbIn(location.address)].filter(Boolean).join(', ');
}

type AnswerDeps = Readonly<{
  answerJob: typeof answerJob;
  showChanged: typeof showChanged;
  refreshCounts(): Promise<void>;
  waitForSignal: typeof waitForSignal;
  toast: Pick<typeof toast, 'error'>;
}>;

/** The tradie's answers to what customers ask for. */
export function createAnswers(deps: AnswerDeps) {
  const answering = map<Record<string, Answer | undefined>>({});

  /** Sends the answer and shows what the server made of it: only then are the customer's phone and email known. Without a signal it waits. */
  async function giveAnswer(jobId: string, answer: Answer): Promise<void> {
    if (answering.get()[jobId]) return;
    answering.setKey(jobId, answer);
    const before = $jobCards.get()[jobId];
    try {
      const job = await deps.answerJob(jobId, answer);
      if (answer === 'accept') deps.showChanged(before, job, 'Job has been accepted!');
      else deps.showChanged(before, job, 'Job has been rejected.', 'info');
      void deps.refreshCounts();
    } catch (error) {
      if (await deps.waitForSignal(jobId, { answer }, error)) return;
      console.error(`The job could not be answered (${answer})`, error);
      deps.toast.error('An error occurred, please try again later.');
      refreshQueries((key) => key.startsWith('job'));
    } finally {
      answering.setKey(jobId, undefined);
    }
  }

  /** The answer that is on its way, by job id. */
  return { $answering: answering, giveAnswer };
}

export const { $answering, giveAnswer } = createAnswers({
  ...{ answerJob, showChanged, waitForSignal, toast },
  refreshCounts: () => jobCounts.refresh(),
});
