import { LRUCache } from 'lru-cache';
import type { Deps, Place, Whereabouts } from '#api/deps.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { getProfile } from '#projections/accounts/read.ts';

const CACHED_BUSINESSES = 20_000;

/** Emptied where changes may have been missed or the tables are others: at each connection and after a rebuild. */
export function createWhereabouts({ db, readSide }: Pick<Deps, 'db' | 'readSide'>): Whereabouts {
  const cache = new LRUCache<string, Place>({ max: CACHED_BUSINESSES });
  /** How often something was dropped: what was read across one is not cached. */
  let drops = 0;
  const forget = (businessId: string) => {
    drops += 1;
    cache.delete(businessId);
  };
  readSide.onChange(({ kind, businessId }) => {
    if (kind === 'business') forget(businessId);
  });
  readSide.onGap(() => {
    drops += 1;
    cache.clear();
  });
  return {
    forget,
    async of({ accountId, businessId }) {
      let known = cache.get(businessId);
      if (known === undefined) {
        const before = drops;
        const profile = await getProfile(db, accountId);
        if (profile === null) throw new NotFoundError('Account not found');
        known = { region: profile.region, timeZone: profile.timeZone };
        if (drops === before) cache.set(businessId, known);
      }
      return known;
    },
  };
}
