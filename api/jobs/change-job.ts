import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { jobDeciderBasedOn } from '#core/job/based-on.ts';
import type { JobCommand } from '#core/job/commands.ts';
import type { MessageKind } from '#core/job/events.ts';
import type { WorkingStatus } from '#core/job/statuses.ts';
import { existingJob, type JobDetails } from '#core/job/view.ts';
import { type Several, several } from '#core/kernel/several.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** What a signed-in tradie wants of a job, without what every command carries. */
export type Wish =
  | Readonly<{ type: 'AcceptJob' | 'RejectJob' }>
  | Readonly<{ type: 'ScheduleJob'; scheduledAt: string | null }>
  | Readonly<{ type: 'ChangeJobStatus'; status: WorkingStatus }>
  | Readonly<{ type: 'ChangeJobNotes'; notes: string }>
  | Readonly<{ type: 'OpenCustomerMessage'; kind: MessageKind }>;

export type Changed = Readonly<{
  /** Folded from the stream just written, so it is never behind. */
  job: JobDetails;
  /** Whether the lists and the details page show the change already. */
  readModel: 'caught-up' | 'behind';
}>;

/** What a change of a job is awaited in before it is answered. */
export const JOB_READ_MODELS = ['job-cards', 'job-details', 'held-jobs'];

export type ChangeOfJob = Readonly<{
  session: Session;
  jobId: string;
  wishes: readonly Wish[];
  /** The revision that the tradie looked at, when known. */
  base: number | undefined;
  correlation: string;
}>;

/**
 * Grants the wishes in order and together. Throws NotFoundError when the business has no such job,
 * IllegalTransitionError when its status does not allow one of them, ConflictError when the base is too old.
 */
export async function changeJob(deps: Deps, change: ChangeOfJob): Promise<Changed> {
  const { session, jobId, wishes, base, correlation } = change;
  const at = deps.now().toISOString();
  const commands = wishes.map(({ type, ...data }) => {
    return { type, at, data: { jobId, businessId: session.businessId, ...data } } as JobCommand;
  });
  const command: Several<JobCommand> = { type: 'Several', at, data: { commands } };
  const cause = { commandId: deps.newId(), actor: `account:${session.accountId}`, correlation };
  const decider = several(jobDeciderBasedOn(base));
  const { state, position } = await handleCommand(
    deps.store,
    decider,
    streamName('job', jobId),
    command,
    cause,
  );
  return {
    job: existingJob(state.job),
    readModel: await deps.readSide.waitFor(JOB_READ_MODELS, position),
  };
}
