import type { Deps } from '#api/deps.ts';
import { type Limiter, localLimiter } from '#api/http/limits.ts';
import type { Session } from '#api/http/request-context.ts';

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

/** Counts a change of a job before it is made. Throws 429 with Retry-After for too many. */
export type ChangeLimit = (session: Session, jobId: string) => Promise<void>;

const limits = new WeakMap<Pick<Deps, 'config'>, ChangeLimit>();

/** The limit of changes, one for all routes that change a job; counted in this process, so that a change costs no query. */
export function changeLimit(deps: Pick<Deps, 'config'>): ChangeLimit {
  const known = limits.get(deps);
  if (known) return known;
  const [ofJob, ofAccount] = [PER_JOB, PER_ACCOUNT].map((rules) =>
    rules.map((rule) => localLimiter(deps, rule)),
  );
  const limit: ChangeLimit = async ({ accountId }, jobId) => {
    await consumeAll(ofAccount ?? [], accountId);
    // Of the account's own: what a stranger sends for this job is nothing to its tradie.
    await consumeAll(ofJob ?? [], `${accountId} ${jobId}`);
  };
  limits.set(deps, limit);
  return limit;
}

async function consumeAll(limiters: readonly Limiter[], key: string): Promise<void> {
  for (const limiter of limiters) await limiter.consume(key);
}
