import { map } from 'nanostores';
import { refreshQueries } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { jobCounts } from './job-counts-store.ts';
import { storeJob } from './job-details-store.ts';
import { type Answer, answerJob } from './jobs-api.ts';
import { undoOf } from './undo.ts';

/** The answer that is on its way, by job id. */
const answering = map<Record<string, Answer | undefined>>({});
export const $answering = answering;

/** Sends the answer and shows what the server made of it: only then are the customer's phone and email known. */
export async function giveAnswer(jobId: string, answer: Answer): Promise<void> {
  if (answering.get()[jobId]) return;
  answering.setKey(jobId, answer);
  try {
    const job = await answerJob(jobId, answer);
    storeJob(job);
    const undo = undoOf(job);
    if (answer === 'accept') toast.success('Job has been accepted!', { undo });
    else toast.info('Job has been rejected.', { undo });
    void jobCounts.refresh();
  } catch (error) {
    console.error(`The job could not be answered (${answer})`, error);
    toast.error('An error occurred, please try again later.');
    refreshQueries((key) => key.startsWith('job'));
  } finally {
    answering.setKey(jobId, undefined);
  }
}
