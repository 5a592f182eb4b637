import type { Deps } from '#api/deps.ts';
import { loadJob, viewOf } from '#api/jobs/load-job.ts';
import type { Viewer } from '#api/jobs/viewer.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { JobEvent } from '#core/job/job.ts';
import { isLate, type JobStatus, type WorkingStatus, workingStatuses } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { getJobDetails } from '#projections/jobs/details.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';
import type { Days, JobTools } from './assistant.ts';

/** Whose jobs, and the last part of the address of their job form. */
type ToolOwner = Viewer & Readonly<{ slug: string | null }>;

/**
 * The readers of the job pages, bound to one business: their caller cannot name another. What they answer went
 * through the same views as any page, so a withheld contact is not in it.
 */
export function createJobTools(
  deps: Pick<Deps, 'config' | 'db' | 'rowsOf' | 'store' | 'now'>,
  { slug, ...owner }: ToolOwner,
): JobTools {
  return {
    counts: async () => (await countJobs(deps.db, owner)).count,
    list: async (query) => (await listJobCards(deps.db, { limit: 5, ...query, ...owner })).jobs,
    async job(id) {
      const details = await getJobDetails(deps.rowsOf(owner.businessId), owner.businessId, id);
      return details && viewOf(deps, details);
    },
    schedule: async (days) => (await getSchedule(deps.db, { ...owner, days, limit: 100 })).jobs,
    async overdue() {
      const { overdue, jobs } = await getSchedule(deps.db, { ...owner, ahead: 1 });
      // Those are of the days before; what today has gone by without is among its jobs.
      const earlier = jobs.filter((job) => isLate(job, owner.now));
      return { count: overdue.count + earlier.length, jobs: [...overdue.jobs, ...earlier] };
    },
    givenStatus: (status, days) => jobsGivenStatus(deps, owner, status, days),
    formPath: async () => (slug === null ? null : `/t/${slug}`),
  };
}

/** How many jobs' streams one question reads at most, and how many at once. */
const MOST = 100;
const AT_ONCE = 8;

type Given = Readonly<{ card: JobCardView; at: string }>;

/** Which jobs were given a status on these local days, and not by a change that was undone; found in their own streams: the cards know the status of now alone. */
async function jobsGivenStatus(
  deps: Pick<Deps, 'db' | 'store'>,
  owner: Viewer,
  status: WorkingStatus,
  days: Days,
): ReturnType<JobTools['givenStatus']> {
  const { jobs: cards } = await listJobCards(deps.db, {
    ...{ ...owner, statuses: workingStatuses, limit: MOST },
  });
  const given: Given[] = [];
  for (let start = 0; start < cards.length; start += AT_ONCE) {
    const some = cards.slice(start, start + AT_ONCE);
    const read = some.map(async (card) => {
      const { events } = await loadJob(deps, owner.businessId, card.id);
      const undone = new Set(events.flatMap(({ event }) => undoneBy(event) ?? []));
      const stood = events.filter(({ revision }) => !undone.has(revision));
      const at = stood.flatMap((event) => givenAt(event, status) ?? []).at(-1);
      return at && isWithin(at, days, owner.timeZone) ? [{ card, at }] : [];
    });
    given.push(...(await Promise.all(read)).flat());
  }
  const jobs = given.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).map(({ card }) => card);
  return { jobs, isWhole: cards.length < MOST };
}

/** When an event gave the status, as an instant; null when it did not. */
function givenAt({ event }: RecordedEvent<JobEvent>, status: JobStatus): string | null {
  if (event?.type === 'JobStatusChanged' && event.data.status === status) return event.data.changedAt;
  if (event?.type === 'JobMarkedUnsuccessful' && status === 'Unsuccessful') return event.data.markedAt;
  if (event?.type === 'JobAccepted' && status === 'To quote') return event.data.acceptedAt;
  return null;
}

/** The revision of the change of status that an event took back. */
function undoneBy(event: JobEvent | undefined): number | null {
  return event?.type === 'JobStatusRestored' ? event.data.undone : null;
}

function isWithin(instant: string, { from, to }: Days, timeZone: string): boolean {
  const day = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  return day >= from && day <= to;
}
