import { findSlugOwner, reservationKey } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import { isSlug } from '#core/values/slug.ts';
import { type FoundForm, getPublicForm, getPublicFormOf } from '#projections/public-form/read.ts';

/**
 * The form at a public address as a visitor typed it, and whose it is; null when there is none. An address that a business
 * left in the last 180 days still finds it: the form then names another slug.
 */
export async function findForm(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  typed: string,
): Promise<FoundForm | null> {
  const slug = typed.toLowerCase();
  if (!isSlug(slug)) return null;
  const found = await getPublicForm(db, slug);
  if (found) return found;
  const businessId = await findSlugOwner(db, reservationKey(config, 'slug', slug), now());
  return businessId === null ? null : getPublicFormOf(db, businessId);
}
