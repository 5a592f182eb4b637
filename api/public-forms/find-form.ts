import type { Pool } from 'pg';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { isSlug } from '#core/values/slug.ts';
import { getPublicForm } from '#projections/public-form/read.ts';

/** The form at a public address as somebody typed it, and whose it is; null when there is none. */
export async function findForm(
  db: Pool,
  typed: string,
): Promise<{ businessId: string; form: PublicForm } | null> {
  const slug = typed.toLowerCase();
  return isSlug(slug) ? getPublicForm(db, slug) : null;
}
