import { readFile } from 'node:fs/promises';
import type { Deps } from '#api/deps.ts';
import { attachMedia, mediaOfJob, storeMedia } from '#api/intake/media.ts';
import { jobRequestFor } from '#api/intake/public-form.ts';
import type { PublicQuestion } from '#core/enquiry-form/public-form.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { JobCommand } from '#core/job/job.ts';
import type { Media } from '#core/job/request/events.ts';
import type { JobRequest } from '#core/job/request/job-request.ts';
import type { WorkingStatus } from '#core/job/status/statuses.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import type { Region } from '#core/values/region.ts';
import type { JobHistory } from './job-history.ts';

/** A day from today (negative: before) and a wall time, in the business's own zone. */
export type Moment = readonly [day: number, time: string];

/** One invented job: what the customer sent and what the tradie did with it since. */
export type DemoJob = Readonly<{
  /** Names the job for ever, so that seeding twice makes it once. */
  key: string;
  sent: Moment;
  request: Pick<JobRequest, 'name' | 'email' | 'phone' | 'address' | 'title'> & Partial<JobRequest>;
  /** Sent by Ute, not by a customer. */
  workOrder?: true;
  /** Held for the tradie to look at first, as in a rush of requests. */
  held?: true;
  /** What the customer photographed: files of `pictures/`, drawn for the demo, 1,200 pixels wide. */
  photos?: readonly string[];
  answer?: 'accepted' | 'rejected';
  status?: WorkingStatus;
  scheduled?: Moment;
  notes?: string;
  /** When the customer sent word that the job is not needed any more. */
  noLongerNeeded?: Moment;
}>;

/** The business that the jobs are for, and the moment they are arranged around. */
export type Scene = Readonly<{
  businessId: string;
  timeZone: string;
  questions: readonly PublicQuestion[];
  region: Region;
  now: Date;
}>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The id that a demo job has in every run. */
export function jobIdOf(businessId: string, { key }: DemoJob): string {
  return uuidV5(businessId, `demo ${key}`);
}

/** Everything that happened to one demo job, in the order of time: the ids of its commands are the same in every run. */
export async function historyOfJob(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'subjectKeys' | 'now' | 'newId'>,
  scene: Scene,
  job: DemoJob,
): Promise<JobHistory> {
  const jobId = jobIdOf(scene.businessId, job);
  const of = { jobId, businessId: scene.businessId };
  const sentAt = Math.min(instant(scene, job.sent), scene.now.getTime() - 10 * MINUTE);
  const media = await photosOf(deps, of, job.photos ?? []);
  let last = sentAt;
  const commands = commandsOf(scene, job, sentAt, media).map(({ type, through, wanted, ...data }) => {
    last = Math.min(Math.max(wanted, last), scene.now.getTime());
    const command = { type, at: new Date(last).toISOString(), data: { ...of, ...data } } as JobCommand;
    // The form gives its request the id of the job.
    const isSent = type === 'RequestJob' && !job.held;
    return { command, commandId: isSent ? jobId : uuidV5(jobId, through ? `${type} ${through}` : type) };
  });
  return { jobId, commands };
}

/** What the customer photographed. Photos of a run that was ended before its job came are taken over. */
async function photosOf(
  deps: Parameters<typeof storeMedia>[0] & Pick<Deps, 'db'>,
  { jobId, businessId }: Readonly<{ jobId: string; businessId: string }>,
  photos: readonly string[],
): Promise<readonly Media[]> {
  if (photos.length === 0) return [];
  const before = await inTransaction(deps.db, (db) => mediaOfJob(db, { businessId, jobId }));
  if (before.length > 0) return before;
  const stored = await Promise.all(
    photos.map(async (photo) => {
      const bytes = await readFile(new URL(`pictures/${photo}.webp`, import.meta.url));
      return storeMedia(deps, { businessId, bytes, name: `${photo}.webp` });
    }),
  );
  const ids = stored.map(({ id }) => id);
  return inTransaction(deps.db, (db) => attachMedia(db, { businessId, jobId, ids }, deps.now()));
}

/** `wanted` is when it happened, in milliseconds, unless that is yet to come; `through` a status on the way to the job's own. */
type WantedCommand = { type: JobCommand['type']; through?: WorkingStatus | null; wanted: number } & Record<
  string,
  unknown
>;

/** What a job goes through on its way to a status, and how long after it was sent or scheduled. */
const ways: Readonly<Partial<Record<WorkingStatus, readonly (readonly [WorkingStatus, number])[]>>> = {
  Completed: [
    ['In progress', -2 * HOUR],
    ['Completed', 0],
  ],
  'Invoice sent': [
    ['In progress', -2 * HOUR],
    ['Completed', 0],
    ['Invoice sent', 4 * HOUR],
  ],
  Paid: [
    ['In progress', -2 * HOUR],
    ['Completed', 0],
    ['Invoice sent', 4 * HOUR],
    ['Paid', 4 * DAY],
  ],
};

function commandsOf(scene: Scene, job: DemoJob, sentAt: number, media: readonly Media[]): WantedCommand[] {
  const { workOrder, held, answer, status, scheduled, notes, noLongerNeeded } = job;
  const start = scheduled ? instant(scene, scheduled) : null;
  const scheduledAt = start === null ? null : new Date(start).toISOString();
  const soon = sentAt + 20 * MINUTE;
  const request = () => ({ ...jobRequestFor(scene, job.request), media, heldFor: held ? 'rush' : null });
  // What has its own way was done two hours after it began; the rest was decided the evening after it came.
  const way = (status && ways[status]) ?? (status ? [[status, 0] as const] : []);
  const from =
    status && ways[status] ? (start ?? soon) + 2 * HOUR : status === 'In progress' ? soon : soon + 8 * HOUR;
  return [
    workOrder
      ? { type: 'ReceiveWorkOrder', ...workOrderOf(scene, job), scheduledAt, wanted: sentAt }
      : { type: 'RequestJob', ...request(), wanted: sentAt },
    ...(answer ? [{ type: answer === 'accepted' ? 'AcceptJob' : 'RejectJob', wanted: soon } as const] : []),
    ...(scheduledAt && !workOrder
      ? [{ type: 'ScheduleJob', scheduledAt, wanted: soon + 5 * MINUTE } as const]
      : []),
    ...way.map(([to, after]): WantedCommand => {
      const through = to === status ? null : to;
      return { type: 'ChangeJobStatus', status: to, through, wanted: from + after };
    }),
    ...(notes ? [{ type: 'ChangeJobNotes', notes, wanted: soon + 10 * MINUTE } as const] : []),
    ...(noLongerNeeded
      ? [{ type: 'SayJobNoLongerNeeded', wanted: instant(scene, noLongerNeeded) } as const]
      : []),
  ];
}

function workOrderOf({ region }: Scene, { request }: DemoJob) {
  const { name, email, phone, title, description, location, isUrgent } = jobRequestFor(
    { questions: [], region },
    request,
  );
  return { name, email, phone, title, description, location, isUrgent };
}

/** Milliseconds of a wall time in the business's zone, some days from its today. */
export function instant({ now, timeZone }: Pick<Scene, 'now' | 'timeZone'>, [day, time]: Moment): number {
  const today = now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();
  return today.add({ days: day }).toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
}
