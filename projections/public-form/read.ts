import type { Pool, PoolClient } from 'pg';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { Region } from '#core/values/region.ts';
import type { ThemeColour } from '#core/values/theme-colour.ts';
import { type FormChoices, questionsOf } from './questions.ts';

type PublicFormRead = Readonly<{
  business_id: string;
  slug: string;
  name: string;
  tagline: string;
  intro: string;
  logo: string | null;
  theme: ThemeColour;
  region: Region;
  phone: string | null;
  email: string | null;
  form: FormChoices | null;
}>;

/** What a business shows to everybody: its name and, where it publishes one, its number (E.164). */
export async function getBusiness(
  db: Pool | PoolClient,
  businessId: string,
): Promise<Readonly<{ name: string; phone: string | null }> | null> {
  const { rows } = await db.query<{ name: string; phone: string | null }>(
    'select name, phone from read.public_forms where business_id = $1',
    [businessId],
  );
  return rows[0] ?? null;
}

/** The public form at a slug (lower case, as stored) and whose it is; null when no business has that address. */
export async function getPublicForm(
  db: Pool | PoolClient,
  slug: string,
): Promise<{ businessId: string; form: PublicForm } | null> {
  const { rows } = await db.query<PublicFormRead>(
    `select f.business_id, slug, name, tagline, intro, logo, theme, region, phone, email, q.form
     from read.public_forms f left join read.public_form_questions q using (business_id)
     where slug = $1 order by branded_at desc limit 1`,
    [slug],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { business_id: businessId, logo, phone, email, form, ...shown } = row;
  return {
    businessId,
    form: {
      ...shown,
      logoUrl: logo === null ? null : `/logos/${encodeURIComponent(logo)}`,
      contact: { phone, email },
      questions: form === null ? [] : questionsOf(businessId, form),
    },
  };
}
