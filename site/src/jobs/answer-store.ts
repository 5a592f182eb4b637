import { map } from 'nanostores';
import { refreshQueries } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { $jobCards } from './job-cards-store.ts';
import { jobCounts } from './job-counts-store.ts';
import { type Answer, answerJob } from './jobs-api.ts';
import { showChanged } from './undo.ts';

/** The answer that is on its way, by job id. */
const answering = map<Record<string, Answer | undefined>>({});
export const $answering = answering;

/** Sends the answer and shows what the server made of it: only then are the customer's phone and email known. */
export async function giveAnswer(jobId: string, answer: Answer): Promise<void> {
  if (answering.get()[jobId]) return;
  answering.setKey(jobId, answer);
  const before = $jobCards.get()[jobId];
  try {
    const job = await answerJob(jobId, answer);
    if (answer === 'accept') showChanged(before, job, 'Job has been accepted!');
    else showChanged(before, job, 'Job has been rejected.', 'info');
    void jobCounts.refresh();
  } catch (error) {
    console.error(`The job could not be answered (${answer})`, error);
    toast.error('An error occurred, please try again later.');
    refreshQueries((key) => key.startsWith('job'));
  } finally {
    answering.setKey(jobId, undefined);
  }
}
