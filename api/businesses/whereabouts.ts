import { LRUCache } from 'lru-cache';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { getProfile, type Profile } from '#projections/accounts/read.ts';

/** In which country a business is, and on whose clocks: `timeZone` is IANA. */
export type Whereabouts = Pick<Profile, 'region' | 'timeZone'>;

const CACHED_BUSINESSES = 20_000;

type Known = Readonly<{
  cache: LRUCache<string, Whereabouts>;
  /** How often something was dropped: what was read across one is not cached. */
  drops(): number;
  drop(businessId: string): void;
}>;

/** Where businesses are, by the read side that says when one may be elsewhere. */
const whereabouts = new WeakMap<Deps['readSide'], Known>();

/** Where the business of an account is, cached until it changes. Throws NotFoundError for an account that is not there. */
export async function whereaboutsOf(
  deps: Pick<Deps, 'db' | 'readSide'>,
  { accountId, businessId }: Session,
): Promise<Whereabouts> {
  const { cache, drops } = knownBy(deps);
  let known = cache.get(businessId);
  if (known === undefined) {
    const before = drops();
    const profile = await getProfile(deps.db, accountId);
    if (profile === null) throw new NotFoundError('Account not found');
    known = { region: profile.region, timeZone: profile.timeZone };
    if (drops() === before) cache.set(businessId, known);
  }
  return known;
}

/** Reads anew where a business is that was just changed: what tells other processes may come a moment after the answer. */
export function forgetWhereabouts(deps: Pick<Deps, 'readSide'>, businessId: string): void {
  knownBy(deps).drop(businessId);
}

/** Emptied where changes may have been missed or the tables are others: at each connection and after a rebuild. */
function knownBy({ readSide }: Pick<Deps, 'readSide'>): Known {
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
