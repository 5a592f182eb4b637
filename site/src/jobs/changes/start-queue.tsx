import { createRoot } from 'react-dom/client';
import { $jobCards } from '#site/jobs/job-stores.ts';
import { pageStrip } from '#site/jobs/page-strip.ts';
import { changeQueue, followChanges } from './browser-queue.ts';
import { effectOf, type NewChange, type QueuedChange } from './change-queue.ts';
import { $waiting, type Waiting } from './changes-store.ts';
import { isServerThere } from './send-change.ts';
import { WaitingBanner } from './WaitingBanner.tsx';
import { Sign, Undo } from './WaitingParts.tsx';
import { isSent } from './waiting-words.ts';

let started: Promise<void> | undefined;

/** Shows on this page from now on what waits, and sends it; again: sends what waits at once. */
export async function startQueue(): Promise<void> {
  started ??= start('new-page');
  await started;
  await changeQueue.retry();
}

async function start(page?: 'new-page'): Promise<void> {
  changeQueue.$changes.listen(showByJob);
  followChanges();
  const place = document.createElement('div');
  pageStrip(page === 'new-page').prepend(place);
  createRoot(place).render(<WaitingBanner />);
  await changeQueue.read();
}

/**
 * Queues a change of a job to which no answer came, unless the server is there: then it failed. `isBehind`: other changes of the job
 * wait, and it waits behind them. Answers whether it waits.
 */
export async function queueChange(jobId: string, change: NewChange, isBehind: boolean): Promise<boolean> {
  const known = $jobCards.get()[jobId];
  if (!known || (!isBehind && (await isServerThere()))) return false;
  started ??= start();
  await started;
  await changeQueue.add(jobId, change, known);
  void changeQueue.run();
  return true;
}

/** Has every part of the page show what waits of its job. */
function showByJob(changes: readonly QueuedChange[]): void {
  const left = changes.filter((change) => !isSent(change));
  const byJob = Map.groupBy(left, ({ jobId }) => jobId);
  $waiting.set(Object.fromEntries([...byJob].map(([jobId, ofJob]) => [jobId, waitingOf(ofJob)])));
}

function waitingOf(ofJob: readonly QueuedChange[]): Waiting {
  const answer = ofJob
    .map(({ change }) => ('answer' in change ? change.answer : undefined))
    .findLast(Boolean);
  const values = ofJob.filter(({ change }) => !('answer' in change)).map(effectOf);
  const { notes, ...job } = Object.assign({}, ...values);
  return { job, ...(answer && { answer }), ...(notes !== undefined && { notes }), Sign, Undo };
}
