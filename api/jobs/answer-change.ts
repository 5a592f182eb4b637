import type { Deps } from '#api/deps.ts';
import { HttpError, httpErrorFor, ok } from '#api/http/errors.ts';
import type { Session } from '#api/http/request-context.ts';
import { WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { ConflictError, IllegalTransitionError } from '#core/kernel/errors.ts';
import type { ChangedJob } from './change-job.ts';
import { loadJob, viewOf } from './load-job.ts';

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
  const { status, message } = httpErrorFor(error);
  throw new HttpError(status, message, { payload: { job: viewOf(deps, details) } });
}

function isConflict(error: unknown): boolean {
  return [ConflictError, IllegalTransitionError, WrongExpectedRevisionError].some(
    (kind) => error instanceof kind,
  );
}
