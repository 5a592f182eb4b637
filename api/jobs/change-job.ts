import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { JobCommand } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import type { WorkingStatus } from '#core/job/statuses.ts';
import { type JobFacts, jobFacts } from '#core/job/view.ts';
import { type Several, several } from '#core/kernel/several.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** What a signed-in tradie wants of a job, without what every command carries. */
export type Wish =
  | Readonly<{ type: 'AcceptJob' | 'RejectJob' }>
  | Readonly<{ type: 'ScheduleJob'; scheduledAt: string | null }>
  | Readonly<{ type: 'ChangeJobStatus'; status: WorkingStatus }>
  | Readonly<{ type: 'ChangeJobNotes'; notes: string }>;

export type Changed = Readonly<{
  /** Folded from the stream just written, so it is never behind. */
  job: JobFacts;
  /** Whether the lists and the details page show the change already. */
  readModel: 'caught-up' | 'behind';
}>;

const READ_MODELS = ['job-cards', 'job-details'];

/**
 * Grants the wishes in order and together. Throws NotFoundError when the business has no such job and
 * IllegalTransitionError when its status does not allow one of them.
 */
export async function changeJob(
  deps: Deps,
  {
    session,
    jobId,
    wishes,
    correlation,
  }: Readonly<{
    session: Session;
    jobId: string;
    wishes: readonly Wish[];
    correlation: string;
  }>,
): Promise<Changed> {
  const at = deps.now().toISOString();
  const commands = wishes.map(({ type, ...data }) => {
    return { type, at, data: { jobId, businessId: session.businessId, ...data } } as JobCommand;
  });
  const command: Several<JobCommand> = { type: 'Several', at, data: { commands } };
  const cause = { commandId: deps.newId(), actor: `account:${session.accountId}`, correlation };
  const { state, events, position } = await handleCommand(
    deps.store,
    several(jobDecider),
    streamName('job', jobId),
    command,
    cause,
  );
  const readModel = events.length === 0 ? 'caught-up' : await deps.readSide.waitFor(READ_MODELS, position);
  return { job: jobFacts(state), readModel };
}
