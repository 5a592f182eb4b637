import { loadBusiness } from '#api/accounts/load-account.ts';
import {
  countReleased,
  isOwn,
  isReserved,
  reservationKey,
  reserve,
  settle,
  slugReservation,
  takenMessages,
} from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/answers.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import {
  hasMarkAtEdge,
  isOpenSlug,
  isSlug,
  normaliseSlug,
  slugMessage,
  slugTaken,
} from '#core/values/slug.ts';

/** How long an address that was left redirects and is reserved, in milliseconds. */
const quarantine = 180 * 24 * 60 * 60_000;
/** Addresses that one business may have left and still block. */
const MOST_LEFT = 5;

type AddressDeps = Pick<Deps, 'config' | 'db' | 'now'>;

/** `slug` is the address as it would be written; `title` and `message` say why it cannot be had. */
export type CheckedAddress =
  | Readonly<{ available: true; slug: string }>
  | Readonly<{ available: false; slug: string; title?: string; message: string }>;

/**
 * Whether an account may have an address: it keeps the rule, and neither it nor one that reads like it is another's. One
 * that begins or ends with a mark counts as taken, because it reads like the one without. What the account has, or left a
 * while ago, is its own whatever it reads like.
 */
export async function checkAddress(
  { config, db, now }: AddressDeps,
  accountId: string,
  typed: string,
): Promise<CheckedAddress> {
  const slug = normaliseSlug(typed);
  if (!isSlug(slug)) return { available: false, slug, message: slugMessage };
  const reservation = slugReservation(config, slug);
  if (await isOwn(db, reservation, accountId, now())) return { available: true, slug };
  if (!isOpenSlug(slug)) return { available: false, slug, message: slugMessage };
  const isTaken = hasMarkAtEdge(slug) || (await isReserved(db, reservation, accountId, now()));
  return isTaken ? { available: false, slug, ...slugTaken } : { available: true, slug };
}

/**
 * Throws 409 when an address is another's or reads like it, or when the account left too many to have another yet; 422 for
 * one that no business may take.
 */
export async function assertFree(deps: AddressDeps, accountId: string, slug: string): Promise<void> {
  const key = reservationKey(deps.config, 'slug', slug);
  if ((await countReleased(deps.db, accountId, key, deps.now())) >= MOST_LEFT) {
    throw new ConflictError('You have changed your address too often, please try again later');
  }
  const checked = await checkAddress(deps, accountId, slug);
  if (checked.available) return;
  throw checked.title === undefined ? invalid({ slug: checked.message }) : taken();
}

/** Holds an address for an account until `keepAddress`. Throws 409 when another was first, with it or one that reads like it. */
export async function holdAddress(deps: AddressDeps, accountId: string, slug: string): Promise<void> {
  const reservation = slugReservation(deps.config, slug);
  if ((await reserve(deps.db, accountId, [reservation], deps.now())).length > 0) throw taken();
}

/**
 * What the log says is the business's address is its for good, and those that it had are left. Of several changes at
 * once the last one here sees what all of them led to.
 */
export async function keepAddress(
  deps: AddressDeps & Pick<Deps, 'store'>,
  { accountId, businessId }: Readonly<{ accountId: string; businessId: string }>,
): Promise<void> {
  await inTransaction(deps.db, async (db) => {
    await lockUntilCommit(db, `address of ${accountId}`);
    const slug = (await loadBusiness(deps, businessId))?.slug;
    if (!slug || !isSlug(slug)) return;
    const until = new Date(deps.now().getTime() + quarantine);
    await settle(db, accountId, slugReservation(deps.config, slug), until);
  });
}

/** Keeps for a business the address that the log says it has, wherever the request that changed it did not get to it. */
export async function settleAddress(
  deps: AddressDeps & Pick<Deps, 'store'>,
  businessId: string,
): Promise<void> {
  const business = await loadBusiness(deps, businessId);
  if (business) await keepAddress(deps, { accountId: business.accountId, businessId });
}

function taken(): HttpError {
  return new HttpError('taken', takenMessages.slug, { fields: { slug: slugTaken.message } });
}
