import type { RecordedEvent } from '#core/event-store/port.ts';
import type { JobEvent } from '#core/job/events.ts';
import type { HeldFor } from '#core/values/held-job.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { foldRows, type RowFold } from '#projections/runtime/rows.ts';

type HeldJobRow = Readonly<{
  job_id: string;
  business_id: string;
  /** Null once the tradie has answered. */
  held_for: HeldFor | null;
  revision: number;
}>;

const holds: RowFold<HeldJobRow> = {
  table: 'held_jobs',
  category: 'job',
  key: 'job_id',
  columns: ['job_id', 'business_id', 'held_for', 'revision'],
  evolve(row, { event }) {
    if (event?.type === 'JobHeld') {
      const { jobId, businessId, heldFor } = event.data;
      return row ?? { job_id: jobId, business_id: businessId, held_for: heldFor };
    }
    return row && { ...row, held_for: null };
  },
};

const HEARD: readonly string[] = ['JobHeld', 'JobAccepted', 'JobRejected'] satisfies JobEvent['type'][];

/**
 * The requests that nobody was alerted to. Apart from the cards, because they are few: a list joins them by id, and counts
 * leave them out.
 */
export const heldJobs: Projection = {
  name: 'held-jobs',
  version: 1,
  tables: ['held_jobs'],
  categories: ['job'],
  async apply(db, table, events) {
    const transitions = await foldRows(db, table, holds, events.filter(isHeard));
    return transitions.map(({ after }) => ({ businessId: after.business_id, kind: 'job', id: after.job_id }));
  },
};

function isHeard({ event }: RecordedEvent): boolean {
  return event !== undefined && HEARD.includes(event.type);
}
