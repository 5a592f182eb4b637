import { map } from 'nanostores';
import { refreshQueries } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { $jobCards } from './job-cards-store.ts';
import { jobCounts } from './job-counts-store.ts';
import { type Answer, answerJob } from './jobs-api.ts';
import { showChanged } from './undo.ts';

type AnswerDeps = Readonly<{
  answerJob: typeof answerJob;
  showChanged: typeof showChanged;
  refreshCounts(): Promise<void>;
  toast: Pick<typeof toast, 'error'>;
}>;

/** The tradie's answers to what customers ask for. */
export function createAnswers(deps: AnswerDeps) {
  const answering = map<Record<string, Answer | undefined>>({});

  /** Sends the answer and shows what the server made of it: only then are the customer's phone and email known. */
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
  ...{ answerJob, showChanged, toast },
  refreshCounts: () => jobCounts.refresh(),
});
