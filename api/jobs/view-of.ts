import type { Deps } from '#api/deps.ts';
import { mediaUrl } from '#api/files/media-link.ts';
import { type JobDetails, type JobView, jobView } from '#core/job/view.ts';

/** A job as it is answered; its files by links for ten minutes, a work order with whom to ring about it. */
export function viewOf({ config, now }: Pick<Deps, 'config' | 'now'>, facts: JobDetails): JobView {
  const at = now();
  return jobView(facts, {
    mediaUrl: ({ id }) => mediaUrl(config, id, at),
    contact: config.product.contact,
  });
}
