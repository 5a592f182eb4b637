import { reservationKey } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import { keepAddress } from './addresses.ts';
import { loadBusiness } from './load-business.ts';

/** A request that held an address has long been answered after this time, in milliseconds. */
const ANSWERED = 2 * 60_000;
const HOLD = 15 * 60_000;
const AT_ONCE = 100;

type Held = Readonly<{ owner: string; key: Buffer; business_id: string }>;

/**
 * Keeps the addresses that were held and never confirmed, where the log says that their business has them: the process that
 * took them died on the way. The others end by themselves.
 */
export async function settleAddresses(deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>): Promise<void> {
  const { rows } = await deps.db.query<Held>(
    `select owner, key, business_id from state.reservations join state.credentials on account_id = owner
     where kind = 'slug' and status = 'held' and expires_at < $1 limit $2`,
    [new Date(deps.now().getTime() + HOLD - ANSWERED), AT_ONCE],
  );
  for (const { owner, key, business_id: businessId } of rows) {
    const slug = (await loadBusiness(deps, businessId))?.slug;
    if (slug && reservationKey(deps.config, 'slug', slug).equals(key)) {
      await keepAddress(deps, { accountId: owner, businessId });
    }
  }
}
