import type { Deps } from '#api/deps.ts';
import { jobRequestFor } from '#api/intake/public-form/job-request.ts';
import { submitJobRequest } from '#api/intake/public-form/submit.ts';
import type { PublicQuestion } from '#core/enquiry-form/public-form.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { JobCommand } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { DemoJob, Moment } from './demo-jobs.ts';

/** The business that the jobs are for, and the moment they are arranged around. */
export type Scene = Readonly<{
  businessId: string;
  timeZone: string;
  questions: readonly PublicQuestion[];
  now: Date;
}>;

const SEED = { actor: 'seed', correlation: 'demo' } as const;
const MINUTE = 60_000;

/** The id that a demo job has in every run. */
export function jobIdOf(businessId: string, { key }: DemoJob): string {
  return uuidV5(businessId, `demo ${key}`);
}

/** Sends one demo job and does with it what its tradie did since. A repeat appends nothing. */
export async function seedJob(deps: Deps, scene: Scene, job: DemoJob): Promise<void> {
  const jobId = jobIdOf(scene.businessId, job);
  const sentAt = Math.min(instant(scene, job.sent), scene.now.getTime() - 10 * MINUTE);
  if (!job.workOrder) await sendForm(deps, scene, job, new Date(sentAt));
  for (const [index, { type, ...data }] of stepsOf(scene, job).entries()) {
    const at = new Date(Math.min(sentAt + index * 5 * MINUTE, scene.now.getTime())).toISOString();
    const command = { type, at, data: { jobId, businessId: scene.businessId, ...data } } as JobCommand;
    const cause = { ...SEED, commandId: uuidV5(jobId, type) };
    await handleCommand(deps.store, jobDecider, streamName('job', jobId), command, cause);
  }
}

async function sendForm(deps: Deps, scene: Scene, job: DemoJob, sentAt: Date): Promise<void> {
  const { businessId } = scene;
  const ownRequest = { ticket: null, limits: null, sourceHash: 'seed' } as const;
  await submitJobRequest(
    { ...deps, now: () => sentAt },
    {
      ...{ ...SEED, ...ownRequest, businessId, body: null, key: `demo ${job.key}` },
      jobId: jobIdOf(businessId, job),
      request: jobRequestFor(scene, job.request),
      media: [],
    },
  );
}

type Step = { type: JobCommand['type'] } & Record<string, unknown>;

function stepsOf(scene: Scene, job: DemoJob): Step[] {
  const { workOrder, answer, status, scheduled, notes } = job;
  const scheduledAt = scheduled ? new Date(instant(scene, scheduled)).toISOString() : null;
  return [
    ...(workOrder ? [{ type: 'ReceiveWorkOrder', ...workOrderOf(job), scheduledAt } as const] : []),
    ...(answer ? [{ type: answer === 'accepted' ? 'AcceptJob' : 'RejectJob' } as const] : []),
    ...(scheduledAt && !workOrder ? [{ type: 'ScheduleJob', scheduledAt } as const] : []),
    ...(status ? [{ type: 'ChangeJobStatus', status } as const] : []),
    ...(notes ? [{ type: 'ChangeJobNotes', notes } as const] : []),
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
function instant({ now, timeZone }: Scene, [day, time]: Moment): number {
  const today = now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();
  return today.add({ days: day }).toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
}
