import type { JobCardView } from '#core/job/view.ts';

/** The New list by what there is to do with a job; each group is in the order of the list where nothing else is said. */
export type NewJobs = Readonly<Record<'waiting' | 'toQuote' | 'rejected', readonly JobCardView[]>>;

/** The jobs of the New list in its three groups: those that wait are the urgent first, then the oldest. */
export function groupNewJobs(jobs: readonly JobCardView[]): NewJobs {
  const of = (status: JobCardView['status']) => jobs.filter((job) => job.status === status);
  return {
    waiting: urgentFirst(of('Pending')),
    toQuote: of('To quote'),
    rejected: of('Rejected'),
  };
}

/** Jobs in the order in which they want an answer: the urgent first, then by when they came. */
export function urgentFirst(jobs: readonly JobCardView[]): JobCardView[] {
  return jobs.toSorted(
    (a, b) => Number(b.isUrgent) - Number(a.isUrgent) || Date.parse(a.createdAt) - Date.parse(b.createdAt),
  );
}

/** How many jobs wait, as a heading says it. What is held for review is named apart: no count of the lists has it. */
export function howManyWait(waiting: readonly Pick<JobCardView, 'heldFor'>[]): string {
  const held = waiting.filter(({ heldFor }) => heldFor !== null).length;
  const counted = waiting.length - held;
  if (held === 0) return String(counted);
  return counted === 0 ? `${held} held` : `${counted} + ${held} held`;
}
