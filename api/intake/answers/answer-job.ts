import type { Deps } from '#api/deps.ts';
import { findLink, type JobSummary, jobSummary, type Link } from '#api/intake/answer-links.ts';
import { JOB_READ_MODELS } from '#api/jobs/change-job.ts';
import { type LoadedJob, loadJob, viewOf } from '#api/jobs/load-job.ts';
import type { changeUndoer } from '#api/jobs/undo-change.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import {
  type AcceptJob,
  answeredAlreadyMessage,
  type ExplainRejection,
  notNeededMessage,
  type RejectJob,
} from '#core/job/answer/decide.ts';
import type { RejectionReason } from '#core/job/answer/rejection-reasons.ts';
import { type JobEvent, jobDecider, partsOf } from '#core/job/job.ts';
import { nothingToUndoMessage } from '#core/job/undo/undo.ts';
import type { JobDetails, JobView } from '#core/job/view.ts';
import { withholdsContact } from '#core/job/withheld-fields.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobReference } from '#core/values/job-form.ts';
import { distanceWords } from '#core/values/place.ts';
import type { Region } from '#core/values/region.ts';
import { ERASED } from '#core/values/stored-details.ts';
import { undoWithin } from '#core/values/time.ts';
import { getProfile, type Profile } from '#projections/accounts/read.ts';

export type Answer = 'accept' | 'decline';
/** An answer, with a rejection why. */
type GivenAnswer = Readonly<{ answer: 'accept' } | { answer: 'decline'; reason?: RejectionReason }>;
/** What can be sent by a link: its answer, and for a minute that it was not meant. */
export type SentAnswer = GivenAnswer | Readonly<{ answer: 'undo' }>;

/** What a tradie needs to decide about a job, and nothing by which its customer could be reached, whatever has become of it. */
type JobToAnswer = Pick<
  JobView,
  'type' | 'isUrgent' | 'createdAt' | 'form' | 'consumerJobDetails' | 'workOrderDetails'
> &
  JobSummary &
  Readonly<{
    /** The customer's, while the job waits for this link's answer; null afterwards, when `contact` has it for a while. */
    name: string | null;
    /** Whether `when` is a time on the schedule. */
    isScheduled: boolean;
    /** From the tradie's base in a straight line, such as `4.2 km`; null where one of the places is unknown. */
    distance: string | null;
    reference: string;
  }>;

/** What the page of an answer link shows. */
export type AnswerPage = Readonly<{
  job: JobToAnswer;
  /** The customer's pictures, by links that are good for ten minutes. Their names are left out, as what a name says is not known. */
  photos: readonly Readonly<{ url: string; thumb: string }>[];
  /** The business's trading name. */
  business: string;
  timeZone: string;
  region: Region;
  /** `answered`: by this link. `closed`: it cannot be answered by it any more. */
  state: 'open' | 'answered' | 'closed';
  answer: Answer | null;
  closedBecause: 'answered' | 'not-needed' | null;
  /** Why this link rejected the job, as far as that was said; null while there is nothing to say it of. */
  rejection: Readonly<{ reason: RejectionReason | null }> | null;
  /** Until when the answer can be taken back by this link; null where it cannot. */
  undoUntil: string | null;
  /** Whether the answer was taken back, by this link or elsewhere. */
  isUndone: boolean;
  /** Whether another answer was given since, so that this one says nothing of the job any more. */
  isReplaced: boolean;
  /** How to ring the customer: only for an hour after this link accepted the job, and while it is accepted. */
  contact: Readonly<{ name: string; phone: string; address: string }> | null;
  jobUrl: string;
  expiresAt: string;
}>;

const usedMessage = 'You have already answered with this link';
const refusals = { answered: answeredAlreadyMessage, 'not-needed': notNeededMessage } as const;
/** How long after the accept the page shows the phone, in milliseconds. Who opens the link later signs in. */
const contactShownFor = 60 * 60_000;
const commands = { accept: 'AcceptJob', decline: 'RejectJob' } as const;
type AnswerDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now' | 'newId' | 'readSide'>;
type Undo = ReturnType<typeof changeUndoer>;

/** The job behind an answer link. Changes nothing, however often it is read. Throws NotFoundError for a link that is none. */
export async function readAnswerPage(deps: AnswerDeps, token: string): Promise<AnswerPage> {
  return pageOf(deps, await openLink(deps, token));
}

/**
 * Accepts or declines the job in the name of the account that the link was sent to: once, however often it is sent. A decline says
 * why at once or when it is sent again. Throws ConflictError when the link was used for the other answer, or the job cannot be
 * answered any more, IllegalTransitionError when a reason comes for a job that is not rejected any more.
 */
export async function answerJob(
  deps: AnswerDeps,
  token: string,
  given: GivenAnswer,
  correlation: string,
): Promise<AnswerPage> {
  const { answer } = given;
  const link = await openLink(deps, token);
  const before = await pageOf(deps, link);
  if (before.closedBecause) throw new ConflictError(refusals[before.closedBecause]);
  if (before.answer !== null && before.answer !== answer) throw new ConflictError(usedMessage);
  const { jobId, businessId, accountId } = link;
  const command: AcceptJob | RejectJob = {
    type: commands[answer],
    at: deps.now().toISOString(),
    data: { jobId, businessId, onlyWhilePending: true },
  };
  const cause = { commandId: commandIdOf(link), actor: `account:${accountId}`, correlation };
  const stream = streamName('job', jobId);
  const { position } = await handleCommand(deps.store, jobDecider, stream, command, cause);
  if (given.answer === 'decline' && given.reason) {
    const { reason } = given;
    const explain: ExplainRejection = {
      ...{ type: 'ExplainRejection', at: command.at, data: { jobId, businessId, reason } },
    };
    await handleCommand(deps.store, jobDecider, stream, explain, { ...cause, commandId: deps.newId() });
  }
  await deps.readSide.waitFor(JOB_READ_MODELS, position);
  return readAnswerPage(deps, token);
}

/**
 * Takes back what the link answered, within a minute: the link stays used up, and the job is answered in the product. Throws
 * ConflictError where there is nothing to take back or it is too late, 429 as for every undone acceptance.
 */
export async function undoAnswer(
  deps: AnswerDeps & Readonly<{ undoChange: Undo }>,
  token: string,
  correlation: string,
): Promise<AnswerPage> {
  const link = await openLink(deps, token);
  const { jobId, businessId, accountId } = link;
  const { events } = await loadJob(deps, businessId, jobId);
  const answered = events.findLast(({ metadata }) => metadata.causation === commandIdOf(link));
  if (!answered) throw new ConflictError(nothingToUndoMessage);
  const session = { businessId, accountId };
  await deps.undoChange({ session, jobId, revision: answered.revision, correlation });
  return readAnswerPage(deps, token);
}

async function openLink(deps: AnswerDeps, token: string): Promise<Link & { accountId: string }> {
  const link = await findLink(deps.db, 'answer', token, deps.now());
  if (link === null || link.accountId === null) throw new NotFoundError('Link not found');
  return { ...link, accountId: link.accountId };
}

async function pageOf(deps: AnswerDeps, link: Link & { accountId: string }): Promise<AnswerPage> {
  const [loaded, profile] = await Promise.all([
    loadJob(deps, link.businessId, link.jobId),
    getProfile(deps.db, link.accountId),
  ]);
  if (!profile) throw new NotFoundError('Account not found');
  const { timeZone, region, tradingName, name } = profile;
  const done = loaded.events.find(({ metadata }) => metadata.causation === commandIdOf(link));
  const closedBecause = done ? null : closing(loaded);
  const isWaiting = done === undefined && loaded.details.status === 'Pending';
  const view = viewOf(deps, { ...loaded.details, status: 'Pending' });
  return {
    job: jobToAnswer(loaded.details, view, { profile, isWaiting }),
    photos: view.media.flatMap(({ url, thumb }) => (thumb ? [{ url, thumb }] : [])),
    ...{ business: tradingName || name, timeZone, region },
    state: done ? 'answered' : closedBecause ? 'closed' : 'open',
    answer: done ? (done.type === 'JobAccepted' ? 'accept' : 'decline') : null,
    closedBecause,
    ...(done
      ? afterAnswer(loaded, done, deps.now())
      : { rejection: null, undoUntil: null, isUndone: false, isReplaced: false, contact: null }),
    jobUrl: `/jobs/details/${link.jobId}`,
    expiresAt: link.expiresAt.toISOString(),
  };
}

type Surroundings = Readonly<{ profile: Pick<Profile, 'timeZone' | 'base'>; isWaiting: boolean }>;

/** `view` is the job as it reads while it waits: without contact in its texts, also once the job was accepted elsewhere. */
function jobToAnswer(details: JobDetails, view: JobView, { profile, isWaiting }: Surroundings): JobToAnswer {
  const { type, isUrgent, createdAt, form, consumerJobDetails, workOrderDetails, name } = view;
  return {
    ...{ type, isUrgent, createdAt, form, consumerJobDetails, workOrderDetails },
    ...jobSummary(details, profile.timeZone),
    name: isWaiting ? name : null,
    isScheduled: details.scheduledAt !== null,
    distance: distanceWords(profile.base, details.location),
    reference: jobReference(details.id),
  };
}

/** What the page of a link that was used may offer. */
function afterAnswer({ details, events }: LoadedJob, done: RecordedEvent, now: Date) {
  const { status, name, phone, location } = details;
  const since = Date.parse(done.metadata.at);
  const isUndone = status === 'Pending';
  const isShown =
    !withholdsContact(details) && done.type === 'JobAccepted' && now.getTime() < since + contactShownFor;
  const undoEnds = since + undoWithin;
  const later = events.filter(({ revision }) => revision > done.revision);
  const isUnchanged = later.every(({ event }) => event && partsOf(event).length === 0);
  return {
    rejection: isUnchanged && done.type === 'JobRejected' ? { reason: reasonIn(later) } : null,
    undoUntil: isUnchanged && now.getTime() < undoEnds ? new Date(undoEnds).toISOString() : null,
    isUndone,
    isReplaced: !isUndone && (status === 'Rejected') !== (done.type === 'JobRejected'),
    contact: isShown ? { name, phone, address: location.address } : null,
  };
}

function reasonIn(events: readonly RecordedEvent<JobEvent>[]): RejectionReason | null {
  const reasons = events.flatMap(({ event }) =>
    event?.type === 'JobRejectionExplained' ? [event.data] : [],
  );
  const reason = reasons.at(-1)?.reason ?? ERASED;
  return reason === ERASED ? null : reason;
}

function closing({ details }: LoadedJob): AnswerPage['closedBecause'] {
  if (details.status !== 'Pending') return 'answered';
  return details.noLongerNeededAt === null ? null : 'not-needed';
}

/** Of the one command of a link: the log knows by it what the link did, also when a process died in between. */
function commandIdOf({ jobId, hash }: Link): string {
  return uuidV5(jobId, `answer ${hash.toString('hex')}`);
}
