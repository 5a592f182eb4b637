import type { Deps } from '#api/deps.ts';
import { type JobFacts, type JobView, jobView } from '#core/job/view.ts';

/** A job as it is answered; its files under the path that serves them, a work order with whom to ring about it. */
export function viewOf({ config }: Pick<Deps, 'config'>, facts: JobFacts): JobView {
  return jobView(facts, { mediaUrl: ({ id }) => `/api/media/${id}`, contact: config.product.contact });
}
