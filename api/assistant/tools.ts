import type { Deps } from '#api/deps.ts';
import { viewOf } from '#api/jobs/load-job.ts';
import type { Viewer } from '#api/jobs/viewer.ts';
import type { JobTools } from '#api/providers/assistant/assistant.ts';
import { getJobDetails } from '#projections/jobs/details.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';
import { jobsGivenStatus } from './jobs-given-status.ts';

/** Whose jobs, and the last part of the address of their job form. */
export type ToolOwner = Viewer & Readonly<{ slug: string | null }>;

/**
 * The readers of the job pages, bound to one business: their caller cannot name another. What they answer went
 * through the same views as any page, so a withheld contact is not in it.
 */
export function createJobTools(
  deps: Pick<Deps, 'config' | 'db' | 'rowsOf' | 'store' | 'now'>,
  { slug, ...owner }: ToolOwner,
): JobTools {
  return {
    counts: () => countJobs(deps.db, owner),
    list: async (query) => (await listJobCards(deps.db, { limit: 5, ...query, ...owner })).jobs,
    async job(id) {
      const details = await getJobDetails(deps.rowsOf(owner.businessId), owner.businessId, id);
      return details && viewOf(deps, details);
    },
    schedule: async (days) => (await getSchedule(deps.db, { ...owner, days, limit: 100 })).jobs,
    overdue: async () => (await getSchedule(deps.db, { ...owner, ahead: 1, limit: 1 })).overdue,
    givenStatus: (status, days) => jobsGivenStatus(deps, owner, status, days),
    formPath: async () => (slug === null ? null : `/t/${slug}`),
  };
}
