import { $answering } from '#site/features/jobs/answer-store.ts';
import { $jobCards, keepCards } from '#site/features/jobs/job-cards-store.ts';
import { fetchJobs } from '#site/features/jobs/jobs-api.ts';
import { type Query, query } from '#site/lib/query.ts';

/** How many unanswered jobs the dashboard shows; the New list has the rest. */
export const mostWaiting = 10;

/**
 * The jobs that wait for the tradie's answer, oldest first, by id. One that was answered on this page keeps its place
 * until the page is left, so that its phone and email stay in sight.
 */
export const waitingJobs: Query<readonly string[]> = query('job-waiting', async (signal) => {
  const jobs = await fetchJobs(
    { filter: 'Pending', sort: 'createdAt', dir: 'asc', search: '', page: 1 },
    signal,
  );
  keepCards(jobs);
  const waiting = jobs.map((job) => job.id);
  const before = waitingJobs.$state.get().data ?? [];
  // The list can know of an answer before the answer itself is back.
  const isAnswered = (id: string) => $answering.get()[id] || $jobCards.get()[id]?.status !== 'Pending';
  return [...new Set([...before.filter((id) => isAnswered(id) || waiting.includes(id)), ...waiting])];
});
