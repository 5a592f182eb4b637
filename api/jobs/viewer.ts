import { LRUCache } from 'lru-cache';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { getProfile } from '#projections/accounts/read.ts';

/** Whose jobs, and when "today" is: `timeZone` is the business's IANA zone. */
export type Viewer = Readonly<{ businessId: string; timeZone: string; now: Date }>;

const CACHED_ZONES = 20_000;

/** The zones of accounts' businesses, by the read side that says when one may be another. */
const zones = new WeakMap<Deps['readSide'], LRUCache<string, string>>();

/** Who looks at jobs. The zone is cached: no event changes it. Throws NotFoundError for an account that is not there. */
export async function viewer(
  deps: Pick<Deps, 'db' | 'readSide' | 'now'>,
  { accountId, businessId }: Session,
): Promise<Viewer> {
  const cached = zonesOf(deps);
  const key = `${accountId} ${businessId}`;
  let timeZone = cached.get(key);
  if (timeZone === undefined) {
    timeZone = (await getProfile(deps.db, accountId))?.timeZone;
    if (timeZone === undefined) throw new NotFoundError('Account not found');
    cached.set(key, timeZone);
  }
  return { businessId, timeZone, now: deps.now() };
}

/** Emptied where changes may have been missed or the tables are others: at each connection and after a rebuild. */
function zonesOf({ readSide }: Pick<Deps, 'readSide'>): LRUCache<string, string> {
  const known = zones.get(readSide);
  if (known) return known;
  const made = new LRUCache<string, string>({ max: CACHED_ZONES });
  zones.set(readSide, made);
  readSide.onGap(() => made.clear());
  return made;
}
