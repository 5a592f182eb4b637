import { LRUCache } from 'lru-cache';
import type { Deps } from '#api/deps.ts';
import { HttpError, unavailable } from '#api/http/answers.ts';
import type { Session } from '#api/http/request-context.ts';
import { InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { getProfile, type Profile } from '#projections/accounts/read.ts';
import type { BoardQuery } from '#projections/jobs/board.ts';
import { findMoment } from '#projections/proof/read.ts';

/** Whose jobs, where, and when "today" is: `timeZone` is the business's IANA zone. */
export type Viewer = Readonly<{ businessId: string; now: Date }> & Whereabouts;
type Whereabouts = Pick<Profile, 'region' | 'timeZone'>;

const CACHED_BUSINESSES = 20_000;

type Known = Readonly<{
  cache: LRUCache<string, Whereabouts>;
  /** How often something was dropped: what was read across one is not kept. */
  drops(): number;
  drop(businessId: string): void;
}>;

/** Where businesses are, by the read side that says when one may be elsewhere. */
const whereabouts = new WeakMap<Deps['readSide'], Known>();

/** Who looks at jobs. Where the business is is cached until it changes. Throws NotFoundError for an account that is not there. */
export async function viewer(
  deps: Pick<Deps, 'db' | 'readSide' | 'now'>,
  { accountId, businessId }: Session,
): Promise<Viewer> {
  const { cache, drops } = whereaboutsOf(deps);
  let known = cache.get(businessId);
  if (known === undefined) {
    const before = drops();
    const profile = await getProfile(deps.db, accountId);
    if (profile === null) throw new NotFoundError('Account not found');
    known = { region: profile.region, timeZone: profile.timeZone };
    if (drops() === before) cache.set(businessId, known);
  }
  return { businessId, ...known, now: deps.now() };
}

/** Reads anew where a business is that was just changed: what tells other processes may come a moment after the answer. */
export function forgetWhereabouts(deps: Pick<Deps, 'readSide'>, businessId: string): void {
  whereaboutsOf(deps).drop(businessId);
}

/** Emptied where changes may have been missed or the tables are others: at each connection and after a rebuild. */
function whereaboutsOf({ readSide }: Pick<Deps, 'readSide'>): Known {
  const known = whereabouts.get(readSide);
  if (known) return known;
  const cache = new LRUCache<string, Whereabouts>({ max: CACHED_BUSINESSES });
  let dropped = 0;
  const drop = (businessId: string) => {
    dropped += 1;
    cache.delete(businessId);
  };
  const made = { cache, drop, drops: () => dropped };
  whereabouts.set(readSide, made);
  readSide.onChange(({ kind, businessId }) => {
    if (kind === 'business') drop(businessId);
  });
  readSide.onGap(() => {
    dropped += 1;
    cache.clear();
  });
  return made;
}

/** How long spans of jobs are waited for that are just being written, in milliseconds. */
const WAIT_MS = 2_000;

/** The moment that was asked for, and how many events the log had then. */
export type AsAt = Readonly<{ at: string; size: number }>;

/**
 * Where in the log a moment lies, for the lists of a business as they stood then. Throws InvalidInputError for what is still to come, and a
 * 503 while the log is not counted that far, or the jobs as they stood are still being built.
 */
export async function boardAt(
  deps: Pick<Deps, 'db' | 'readLeaves' | 'readSide'>,
  { now }: Pick<Viewer, 'now'>,
  at: Date,
): Promise<Readonly<{ asAt: AsAt; board: Pick<BoardQuery, 'now' | 'position'> }>> {
  if (at > now)
    throw new InvalidInputError('This list cannot be shown', { at: 'Choose a moment that has passed' });
  const moment = await findMoment(deps.db, deps, at);
  if (!moment) throw notCounted();
  const reached = await deps.readSide.waitFor(['jobs'], moment.position, WAIT_MS);
  if (reached !== 'caught-up') throw unavailable();
  const { size, position } = moment;
  return { asAt: { at: at.toISOString(), size }, board: { now: at, position } };
}

function notCounted(): HttpError {
  return new HttpError(503, 'The log is not counted up to that moment yet. Please try again in a minute', {
    headers: { 'retry-after': '30' },
  });
}
