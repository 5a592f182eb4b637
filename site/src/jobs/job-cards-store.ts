import { map } from 'nanostores';
import type { JobCardView } from '#core/job/view.ts';

/** Every job this page has met, by id. Lists hold ids, so that an answer shows wherever the job is on screen. */
const cards = map<Record<string, JobCardView>>({});
export const $jobCards = cards;

/** Stores the newest of each job: a list that the read model answered late never undoes an accept. */
export function storeCards(jobs: readonly JobCardView[]): void {
  const known = cards.get();
  const newer = jobs.filter((job) => job.revision >= (known[job.id]?.revision ?? -1));
  cards.set({ ...known, ...Object.fromEntries(newer.map((job) => [job.id, job])) });
}
