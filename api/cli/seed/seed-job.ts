import { readFile } from 'node:fs/promises';
import type { Deps } from '#api/deps.ts';
import { storeMedia } from '#api/intake/files/media.ts';
import { jobRequestFor } from '#api/intake/public-form/form.ts';
import { submitJobRequest } from '#api/intake/public-form/submit.ts';
import type { PublicQuestion } from '#core/enquiry-form/public-form.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { JobCommand, JobRequest } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import type { WorkingStatus } from '#core/job/statuses.ts';
import { streamName } from '#core/kernel/stream-name.ts';

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
  now: Date;
}>;

const SEED = { actor: 'seed', correlation: 'demo' } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The id that a demo job has in every run. */
export function jobIdOf(businessId: string, { key }: DemoJob): string {
  return uuidV5(businessId, `demo ${key}`);
}

/** Something that happened to a demo job, `at` milliseconds. A repeat of `run` appends nothing. */
export type DemoStep = Readonly<{ at: number; run(): Promise<unknown> }>;

/** How one demo job is sent, and what its tradie did with it since, in the order of time. */
export async function stepsOfJob(deps: Deps, scene: Scene, job: DemoJob): Promise<DemoStep[]> {
  const jobId = jobIdOf(scene.businessId, job);
  const sentAt = Math.min(instant(scene, job.sent), scene.now.getTime() - 10 * MINUTE);
  const steps: DemoStep[] = [];
  if (!job.workOrder && !job.held) {
    const media = await Promise.all(
      (job.photos ?? []).map((photo) => storePhoto(deps, scene.businessId, photo)),
    );
    steps.push({ at: sentAt, run: () => sendForm(deps, scene, job, media, new Date(sentAt)) });
  }
  let last = sentAt;
  for (const { type, through, wanted, ...data } of commandsOf(scene, job, sentAt)) {
    last = Math.min(Math.max(wanted, last), scene.now.getTime());
    const at = new Date(last).toISOString();
    const command = { type, at, data: { jobId, businessId: scene.businessId, ...data } } as JobCommand;
    const cause = { ...SEED, commandId: uuidV5(jobId, through ? `${type} ${through}` : type) };
    const run = () => handleCommand(deps.store, jobDecider, streamName('job', jobId), command, cause);
    steps.push({ at: last, run });
  }
  return steps;
}

async function sendForm(
  deps: Deps,
  scene: Scene,
  job: DemoJob,
  media: readonly string[],
  sentAt: Date,
): Promise<void> {
  const { businessId } = scene;
  const ownRequest = { ticket: null, limits: null, sourceHash: 'seed' } as const;
  await submitJobRequest(
    { ...deps, now: () => sentAt },
    {
      ...{ ...SEED, ...ownRequest, businessId, body: null, key: `demo ${job.key}` },
      jobId: jobIdOf(businessId, job),
      request: jobRequestFor(scene, job.request),
      media,
    },
  );
}

/** Answers the id of a customer's photo that waits for its job. */
async function storePhoto(deps: Deps, businessId: string, photo: string): Promise<string> {
  const bytes = await readFile(new URL(`pictures/${photo}.webp`, import.meta.url));
  return (await storeMedia(deps, { businessId, bytes, name: `${photo}.webp` })).id;
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

function commandsOf(scene: Scene, job: DemoJob, sentAt: number): WantedCommand[] {
  const { workOrder, held, answer, status, scheduled, notes, noLongerNeeded } = job;
  const start = scheduled ? instant(scene, scheduled) : null;
  const scheduledAt = start === null ? null : new Date(start).toISOString();
  const soon = sentAt + 20 * MINUTE;
  const request = () => ({ ...jobRequestFor(scene, job.request), media: [], heldFor: 'rush' });
  // What has its own way was done two hours after it began; the rest was decided the evening after it came.
  const way = (status && ways[status]) ?? (status ? [[status, 0] as const] : []);
  const from =
    status && ways[status] ? (start ?? soon) + 2 * HOUR : status === 'In progress' ? soon : soon + 8 * HOUR;
  return [
    ...(held ? [{ type: 'RequestJob', ...request(), wanted: sentAt } as const] : []),
    ...(workOrder
      ? [{ type: 'ReceiveWorkOrder', ...workOrderOf(job), scheduledAt, wanted: sentAt } as const]
      : []),
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

function workOrderOf({ request }: DemoJob) {
  const { name, email, phone, title, description, location, isUrgent } = jobRequestFor(
    { questions: [] },
    request,
  );
  return { name, email, phone, title, description, location, isUrgent };
}

/** Milliseconds of a wall time in the business's zone, some days from its today. */
export function instant({ now, timeZone }: Pick<Scene, 'now' | 'timeZone'>, [day, time]: Moment): number {
  const today = now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();
  return today.add({ days: day }).toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
}
