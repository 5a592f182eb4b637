import type { JobCardView } from '#core/job/view.ts';
import { isSetAside } from '#site/jobs/job-words.ts';

/** Jobs in the order in which they want an answer: the urgent first, what is set aside last, then by when they came. */
export function urgentFirst(jobs: readonly JobCardView[]): JobCardView[] {
  return jobs.toSorted((a, b) => rank(a) - rank(b) || Date.parse(a.createdAt) - Date.parse(b.createdAt));
}

const rank = (job: JobCardView) => (isSetAside(job) ? 2 : job.isUrgent ? 0 : 1);

/** How many jobs wait, as a heading says it. What is held for review is named apart: no count of the lists has it. */
export function howManyWait(waiting: readonly Pick<JobCardView, 'heldFor'>[]): string {
  const held = waiting.filter(({ heldFor }) => heldFor !== null).length;
  const counted = waiting.length - held;
  if (held === 0) return String(counted);
  return counted === 0 ? `${held} held` : `${counted} + ${held} held`;
}
