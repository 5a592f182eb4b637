import { addSkeleton, findSlugsAlone, slugReservation } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { isSlug } from '#core/values/slug.ts';

const AT_ONCE = 500;

/**
 * Reserves what reads like the addresses that an earlier release reserved, whose reservations know the address alone: it is found
 * in the business's own stream. A pair that reads alike and stands already keeps both. Where the stream knows no address any
 * more, because its owner was erased, the reservation is marked by its own key, which nothing reads like. Where the stream cannot
 * be read, or none of its addresses has that key (CLAIM_KEY may be another one), the reservation stays as it is.
 */
export async function completeSkeletons({
  config,
  db,
  store,
}: Pick<Deps, 'config' | 'db' | 'store'>): Promise<void> {
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const alone = await findSlugsAlone(db, after, AT_ONCE);
    for (const { key, businessId } of alone) {
      after = key;
      const slugs = await slugsOf(store, businessId);
      if (slugs === null) continue;
      const found = slugs
        .map((slug) => slugReservation(config, slug))
        .find((reservation) => reservation.key.equals(key));
      if (found === undefined && slugs.length > 0) continue;
      await addSkeleton(db, key, found?.skeleton ?? key);
    }
    if (alone.length < AT_ONCE) return;
  }
}

/** Every address that a business has or had, as long as it is not erased; null where its stream cannot be read whole. */
async function slugsOf(store: Deps['store'], businessId: string): Promise<string[] | null> {
  const recorded = await store.readStream(streamName('business', businessId));
  if (recorded.some(({ unreadable }) => unreadable !== undefined)) return null;
  return recorded.flatMap(({ event }) => {
    if (event?.type !== 'PublicAddressChanged' && event?.type !== 'BusinessBranded') return [];
    return isSlug(event.data.slug) ? [event.data.slug] : [];
  });
}
