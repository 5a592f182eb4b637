import type { Pool, PoolClient } from 'pg';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { type EnquiryFormState, publicQuestions } from '#core/enquiry-form/state.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { Region } from '#core/values/region.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';
import { findTrade, shortTradeName } from '#core/values/trade-catalogue.ts';
import { logoPath } from '#core/values/uploads.ts';
import { type FormChoices, formOf, publicFormTables } from './projection.ts';

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

/** What a business publishes: its name and, where it has them, its number (E.164) and the slug of its public form. */
export type PublishedBusiness = Readonly<{ name: string; phone: string | null; slug: string | null }>;

/** Null for a business that is closed. */
export async function getBusiness(
  db: Pool | PoolClient,
  businessId: string,
): Promise<PublishedBusiness | null> {
  const { rows } = await db.query<PublishedBusiness>(
    `select name, phone, slug from ${publicFormTables.forms} where business_id = $1`,
    [businessId],
  );
  return rows[0] ?? null;
}

/** A public form, and whose it is. */
export type FoundForm = Readonly<{ businessId: string; form: PublicForm }>;

const SELECT = `select f.business_id, slug, name, tagline, intro, logo, theme, region, phone, email, q.form
  from ${publicFormTables.forms} f left join ${publicFormTables.questions} q using (business_id)`;

/** The public form at a slug (lower case, as stored) and whose it is; null when no business has that address. */
export async function getPublicForm(db: Pool | PoolClient, slug: string): Promise<FoundForm | null> {
  const { rows } = await db.query<PublicFormRead>(
    plannedOnce(`${SELECT} where slug = $1 order by branded_at desc limit 1`, [slug]),
  );
  return rows[0] ? publicFormOf(rows[0]) : null;
}

/** The public form of a business, wherever it is; null while it has no address. */
export async function getPublicFormOf(db: Pool | PoolClient, businessId: string): Promise<FoundForm | null> {
  const { rows } = await db.query<PublicFormRead>(`${SELECT} where f.business_id = $1 and slug is not null`, [
    businessId,
  ]);
  return rows[0] ? publicFormOf(rows[0]) : null;
}

/** What a business asks, ticked or not; null for one that has no form. */
export async function getEnquiryForm(db: Pool | PoolClient, businessId: string): Promise<EnquiryFormState> {
  const { rows } = await db.query<{ form: FormChoices }>(
    `select form from ${publicFormTables.questions} where business_id = $1`,
    [businessId],
  );
  return rows[0] ? formOf(businessId, rows[0].form) : null;
}

function publicFormOf(row: PublicFormRead): FoundForm {
  const { business_id: businessId, logo, phone, email, form, ...shown } = row;
  const asked = form && formOf(businessId, form);
  return {
    businessId,
    form: {
      ...shown,
      logoUrl: logoPath(logo),
      contact: { phone, email },
      trades: (asked?.trades ?? []).flatMap((id) => findTrade(id)?.name ?? []).map(shortTradeName),
      questions: publicQuestions(asked),
    },
  };
}

/** Addresses that public forms have, as `normaliseSlug` writes them; at most `limit`. */
export async function findAddresses(db: Pool | PoolClient, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ slug: string }>(
    `select slug from ${publicFormTables.forms} where slug is not null order by slug limit $1`,
    [limit],
  );
  return rows.map(({ slug }) => slug);
}
