import type { JobView } from '#core/job/view.ts';
import { answerJob, changeJob, pathOf } from '#site/jobs/jobs-api.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { effectOf, type Problem, type Sent, type StoredChange } from './change-queue.ts';

/** Sends a change on what it was decided on: what would overwrite a part that was changed since is refused, and a repeat changes nothing. */
export async function sendChange({ jobId, change, seen }: StoredChange): Promise<Sent> {
  const { revision } = seen;
  try {
    const job =
      'answer' in change
        ? await answerJob(jobId, change.answer, { revision })
        : await changeJob(jobId, { ...change, revision });
    return { kind: 'ok', job };
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : new ApiError(unknownFailure, 0);
    const { status, retryAfter } = error;
    if (error.isTransient || status === 408)
      return { kind: 'lost', isAnswered: status !== 0, seconds: retryAfter };
    const job = error.payload.job;
    const problem = await problemOf(error, job, { jobId, change });
    return { kind: 'refused', problem, ...(job && { job }) };
  }
}

async function problemOf(
  error: ApiError,
  job: JobView | undefined,
  what: Pick<StoredChange, 'jobId' | 'change'>,
): Promise<Problem> {
  const message = Object.values(error.fields)[0] ?? error.message;
  if (!job) return { message };
  const { revision, status, scheduledAt, notes, erasedAt } = job;
  const theirs = { revision, status, scheduledAt, notes, isErased: Boolean(erasedAt) };
  const by = await changedBy(what, job).catch(() => undefined);
  return { message, theirs, ...(by && { by }) };
}

/** Who made the part of the job what it is, and when: the newest entry of its history that led to it. */
async function changedBy(
  { jobId, change }: Pick<StoredChange, 'jobId' | 'change'>,
  job: JobView,
): Promise<Problem['by']> {
  const { history } = await request('GET', `${pathOf(jobId)}/history`);
  const effect = effectOf({ change });
  const wanted = 'notes' in effect ? ['notes'] : 'status' in effect ? statusEntries : ['schedule'];
  const value = 'notes' in effect ? job.notes : 'status' in effect ? job.status : job.scheduledAt;
  const entry = history.find((one) => wanted.includes(one.what) && 'to' in one && one.to === value);
  if (!entry || !('who' in entry)) return undefined;
  const { kind, name } = entry.who;
  return { name, isOwn: kind === 'you', at: entry.at };
}

const statusEntries = ['status', 'accepted', 'rejected'];

/** How long the server has to answer whether it is there, in milliseconds. */
const timeout = 5_000;

/** Whether the server answers at all, with whatever status. */
export async function isServerThere(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    await fetch('/api/health/live', { cache: 'no-store', signal: AbortSignal.timeout(timeout) });
    return true;
  } catch {
    return false;
  }
}
