import { type JobFacts, type JobView, jobView } from '#core/job/view.ts';

/** A job as it is answered; its files under the path that serves them. */
export function viewOf(facts: JobFacts): JobView {
  return jobView(facts, ({ id }) => `/api/media/${id}`);
}
