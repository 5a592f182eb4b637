import type { Deps } from '#api/deps.ts';
import { JOB_READ_MODELS } from '#api/jobs/change-job.ts';
import { type LoadedJob, loadJob } from '#api/jobs/load-job.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { AcceptJob, RejectJob } from '#core/job/commands.ts';
import { answeredAlreadyMessage, jobDecider, notNeededMessage } from '#core/job/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { type JobSummary, jobSummary } from './job-summary.ts';
import { findLink, type Link } from './links.ts';

export type Answer = 'accept' | 'decline';

/** What the page of an answer link shows. */
export type AnswerPage = Readonly<{
  job: JobSummary;
  /** The business's trading name. */
  business: string;
  timeZone: string;
  /** `answered`: by this link. `closed`: it cannot be answered by it any more. */
  state: 'open' | 'answered' | 'closed';
  answer: Answer | null;
  closedBecause: 'answered' | 'not-needed' | null;
  jobUrl: string;
  expiresAt: string;
}>;

const usedMessage = 'You have already answered with this link';
const refusals = { answered: answeredAlreadyMessage, 'not-needed': notNeededMessage } as const;
const commands = { accept: 'AcceptJob', decline: 'RejectJob' } as const;
type AnswerDeps = Pick<Deps, 'db' | 'store' | 'now' | 'readSide'>;

/** The job behind an answer link. Changes nothing, however often it is read. Throws NotFoundError for a link that is none. */
export async function readAnswerPage(deps: AnswerDeps, token: string): Promise<AnswerPage> {
  return pageOf(deps, await openLink(deps, token));
}

/**
 * Accepts or declines the job in the name of the account that the link was sent to: once, however often it is sent. Throws
 * ConflictError when the link was used for the other answer, or the job cannot be answered any more.
 */
export async function answerJob(
  deps: AnswerDeps,
  token: string,
  { answer, correlation }: Readonly<{ answer: Answer; correlation: string }>,
): Promise<AnswerPage> {
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
  await deps.readSide.waitFor(JOB_READ_MODELS, position);
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
  const { timeZone, tradingName, name } = profile;
  const done = loaded.events.find(({ metadata }) => metadata.causation === commandIdOf(link));
  const closedBecause = done ? null : closing(loaded);
  return {
    job: jobSummary(loaded.details, timeZone),
    ...{ business: tradingName || name, timeZone },
    state: done ? 'answered' : closedBecause ? 'closed' : 'open',
    answer: done ? (done.type === 'JobAccepted' ? 'accept' : 'decline') : null,
    closedBecause,
    jobUrl: `/jobs/details/${link.jobId}`,
    expiresAt: link.expiresAt.toISOString(),
  };
}

function closing({ details }: LoadedJob): AnswerPage['closedBecause'] {
  if (details.status !== 'Pending') return 'answered';
  return details.noLongerNeededAt === null ? null : 'not-needed';
}

/** Of the one command of a link: the log knows by it what the link did, also when a process died in between. */
function commandIdOf({ jobId, hash }: Link): string {
  return uuidV5(jobId, `answer ${hash.toString('hex')}`);
}
