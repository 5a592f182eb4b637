import { type } from 'arktype';
import type { Deps } from '#api/deps.ts';
import { HttpError, httpErrorFor, ok } from '#api/http/answers.ts';
import { type Limiter, localLimiter } from '#api/http/limits.ts';
import type { Session } from '#api/http/request-context.ts';
import { WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { type CommandContext, handleCommand } from '#core/event-store/handle-command.ts';
import type { MessageKind } from '#core/job/customer/customer-messages.ts';
import { type JobCommand, type JobEvent, type JobState, jobDecider } from '#core/job/job.ts';
import type { WorkPhoto } from '#core/job/photos/events.ts';
import { type WorkingStatus, workingStatuses } from '#core/job/status/statuses.ts';
import { evolveJobDetails, existingJob, type JobDetails } from '#core/job/view.ts';
import { batchDecider, type Command, type Decider, deciderWithView } from '#core/kernel/decider.ts';
import { ConflictError, IllegalTransitionError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobNotesLength, notesTooLongMessage } from '#core/values/job-form.ts';
import { countCharacters, severalLines } from '#core/values/text.ts';
import { loadJob, viewOf } from './load-job.ts';
import { assertSlot, Instant, storedInstant } from './scheduled-time.ts';
import { viewer } from './viewer.ts';

/** What a signed-in tradie changes of a job, without what every command carries. */
export type JobChange =
  | Readonly<{ type: 'AcceptJob' | 'RejectJob' }>
  | Readonly<{ type: 'ScheduleJob'; scheduledAt: string | null }>
  | Readonly<{ type: 'ChangeJobStatus'; status: WorkingStatus }>
  | Readonly<{ type: 'ChangeJobNotes'; notes: string }>
  | Readonly<{ type: 'OpenCustomerMessage'; kind: MessageKind }>
  | Readonly<{ type: 'AddJobPhoto' } & Omit<WorkPhoto, 'addedAt'>>
  | Readonly<{ type: 'DescribeJobPhoto' } & Pick<WorkPhoto, 'photoId' | 'stage' | 'caption'>>
  | Readonly<{ type: 'RemoveJobPhoto'; photoId: string }>;

export type ChangedJob = Readonly<{
  /** Folded from the stream just written, so it is never behind. */
  job: JobDetails;
  /** Whether the lists and the details page show the change already. */
  readModel: 'caught-up' | 'behind';
}>;

/** What a change of a job is awaited in before it is answered. */
export const JOB_READ_MODELS = ['jobs'];

export type ChangeOfJob = Readonly<{
  session: Session;
  jobId: string;
  changes: readonly JobChange[];
  /** The revision that the tradie looked at, when known. */
  ifUnchangedSince: number | undefined;
  correlation: string;
}>;

/** A new time is a slot from now on; a time that stays where it is may have passed. */
export async function assertNewSlot(
  deps: Pick<Deps, 'store' | 'whereabouts' | 'now'>,
  { session, jobId, changes }: ChangeOfJob,
): Promise<void> {
  const scheduledAt = changes.find((change) => change.type === 'ScheduleJob')?.scheduledAt ?? null;
  if (scheduledAt === null) return;
  const { details } = await loadJob(deps, session.businessId, jobId);
  if (details.scheduledAt !== scheduledAt) assertSlot(scheduledAt, await viewer(deps, session));
}

/**
 * Makes the changes in order and together. Throws NotFoundError when the business has no such job, IllegalTransitionError when
 * its status does not allow one of them, ConflictError when it was changed since that revision.
 */
export async function changeJob(
  deps: Pick<Deps, 'store' | 'readSide' | 'now' | 'newId'>,
  change: ChangeOfJob,
): Promise<ChangedJob> {
  const { session, jobId, changes, ifUnchangedSince, correlation } = change;
  const at = deps.now().toISOString();
  const commands = changes.map(({ type, ...data }) => {
    return { type, at, data: { jobId, businessId: session.businessId, ifUnchangedSince, ...data } };
  }) as JobCommand[];
  const cause = { commandId: deps.newId(), actor: `account:${session.accountId}`, correlation };
  return carryOut(deps, batchDecider(jobDecider), jobId, { type: 'Batch', at, data: { commands } }, cause);
}

/** Gives a command, or a batch of them, to a job. Answers the job as it is then; throws what its decider throws. */
export async function carryOut<C extends Command>(
  deps: Pick<Deps, 'store' | 'readSide'>,
  decider: Decider<JobState, C, JobEvent>,
  jobId: string,
  command: C,
  context: CommandContext,
): Promise<ChangedJob> {
  const viewed = deciderWithView(decider, { evolve: evolveJobDetails, initial: null });
  const { state, position } = await handleCommand(
    deps.store,
    viewed,
    streamName('job', jobId),
    command,
    context,
  );
  return { job: existingJob(state.view), readModel: await deps.readSide.waitFor(JOB_READ_MODELS, position) };
}

/** The revision that the tradie looks at; without one the last change wins. */
const Base = type('number.integer >= 0');

/** The body of accept and reject: none, or the revision alone. */
export const JobAnswer = type({ '+': 'reject', 'revision?': Base }).or('null');

const Status = type.enumerated(...workingStatuses).configure({ message: 'Choose a status' });
const Notes = type('string').narrow(
  (text, ctx) =>
    countCharacters(severalLines(text)) <= jobNotesLength || ctx.reject({ message: notesTooLongMessage }),
);

/** The body of PUT /jobs/{id}: any of the first three. `scheduledAt` is an instant with its offset; null clears it. */
export const JobChanges = type({
  '+': 'reject',
  'notes?': Notes,
  'scheduledAt?': Instant.or('null'),
  'status?': Status,
  'revision?': Base,
});
export type JobChanges = typeof JobChanges.infer;

/** The changes that a body asks for, in the order in which they are made: a status may decide whether there is a schedule. */
export function changesIn({ notes, status, scheduledAt }: JobChanges): JobChange[] {
  return [
    ...(notes === undefined ? [] : [{ type: 'ChangeJobNotes', notes } as const]),
    ...(status === undefined ? [] : [{ type: 'ChangeJobStatus', status } as const]),
    ...(scheduledAt === undefined
      ? []
      : [{ type: 'ScheduleJob', scheduledAt: storedInstant(scheduledAt) } as const]),
  ];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Changes of one job: notes that save themselves while they are typed stay far below. A history is stored for good. */
const PER_JOB = [
  { name: 'job-changes-minute', points: 60, seconds: MINUTE },
  { name: 'job-changes-hour', points: 600, seconds: HOUR },
  { name: 'job-changes-day', points: 2_000, seconds: 24 * HOUR },
];
const PER_ACCOUNT = [
  { name: 'account-changes-minute', points: 240, seconds: MINUTE },
  { name: 'account-changes-hour', points: 3_000, seconds: HOUR },
];

/** The limit of changes, one for all routes that change a job; counted in this process, so that a change costs no query. */
export function createChangeLimit(deps: Pick<Deps, 'config'>): Deps['limitJobChanges'] {
  const [ofJob, ofAccount] = [PER_JOB, PER_ACCOUNT].map((rules) =>
    rules.map((rule) => localLimiter(deps, rule)),
  );
  return async ({ accountId }, jobId) => {
    await consumeAll(ofAccount ?? [], accountId);
    // Of the account's own: what a stranger sends for this job is nothing to its tradie.
    await consumeAll(ofJob ?? [], `${accountId} ${jobId}`);
  };
}

async function consumeAll(limiters: readonly Limiter[], key: string): Promise<void> {
  for (const limiter of limiters) await limiter.consume(key);
}

type Answering = Readonly<{
  session: Session;
  jobId: string;
  set: { headers: Record<string, string | number> };
}>;

/**
 * Answers a change of a job: the job as it is now; `x-read-model: behind` while lists do not show it yet. A 409 carries the
 * job as it stands too, so that what the person holds can be laid beside it.
 */
export async function answerChange(
  deps: Pick<Deps, 'config' | 'now' | 'store'>,
  answering: Answering,
  change: Promise<ChangedJob>,
) {
  const { job, readModel } = await change.catch((error: unknown) => refuse(deps, answering, error));
  if (readModel === 'behind') answering.set.headers['x-read-model'] = 'behind';
  return ok({ job: viewOf(deps, job) });
}

async function refuse(
  deps: Pick<Deps, 'config' | 'now' | 'store'>,
  { session, jobId }: Answering,
  error: unknown,
): Promise<never> {
  if (!isConflict(error)) throw error;
  const { details } = await loadJob(deps, session.businessId, jobId);
  const { code, message } = httpErrorFor(error);
  throw new HttpError(code, message, { payload: { job: viewOf(deps, details) } });
}

function isConflict(error: unknown): boolean {
  return [ConflictError, IllegalTransitionError, WrongExpectedRevisionError].some(
    (kind) => error instanceof kind,
  );
}
