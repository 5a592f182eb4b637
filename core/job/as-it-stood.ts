import type { ViewSurroundings } from './surroundings.ts';
import { erasedCustomer, type JobDetails, type JobView, jobView } from './view.ts';
import { withholdsContact } from './withheld-fields.ts';

/**
 * The job as it stood, `then` being the fold of its first events, as its tradie may see that now: contact that is withheld
 * today was not withheld then, and whom an erasure removed is in no earlier view either.
 */
export function jobViewAsItStood(then: JobDetails, now: JobDetails, surroundings: ViewSurroundings): JobView {
  const { erasureDueAt, erasedAt } = now;
  const known = { ...then, erasureDueAt, erasedAt, ...(erasedAt !== null && erasedCustomer) };
  const shown = withholdsContact(now) ? { ...known, status: now.status } : known;
  return { ...jobView(shown, surroundings), status: then.status };
}
