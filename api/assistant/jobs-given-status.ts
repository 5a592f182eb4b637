import type { Deps } from '#api/deps.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import type { Viewer } from '#api/jobs/viewer.ts';
import type { Days, JobTools } from '#api/providers/assistant/assistant.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { JobEvent } from '#core/job/events.ts';
import { type JobStatus, type WorkingStatus, workingStatuses } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { listJobCards } from '#projections/jobs/list.ts';

/** How many jobs' streams one question reads at most, and how many at once. */
const MOST = 100;
const AT_ONCE = 8;

type Given = Readonly<{ card: JobCardView; at: string }>;

/** Which jobs were given a status on these local days, and not by a change that was undone; found in their own streams: the cards know the status of now alone. */
export async function jobsGivenStatus(
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
