import type { Pool, PoolClient } from 'pg';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { Plan } from '#core/values/product.ts';
import type { Region } from '#core/values/region.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';
import { publicFormTables } from '#projections/public-form/projection.ts';
import { findEarlierTables } from '#projections/runtime/live-tables.ts';
import { accountsTable, accountTables, businessesTable, version } from './table.ts';

/** What a signed-in tradie's session shows. `timeZone` is IANA; `logo` is a key in the file store. */
export type Profile = Readonly<{
  accountId: string;
  businessId: string;
  /** The welcome screen has not been left yet. */
  onboarding: boolean;
  user: Readonly<{ firstName: string; lastName: string; email: string; phone: string }>;
  /** No link is to come back from the email. */
  emailConfirmed: boolean;
  /** Customers see a phone on the public page. */
  showsPhone: boolean;
  region: Region;
  plan: Plan;
  timeZone: string;
  slug: string | null;
  theme: ThemeColour;
  logo: string | null;
  intro: string;
  bn: string;
  name: string;
  tradingName: string;
  /** Where the tradie starts from, in degrees: the middle of the area that the registration set; null for none. */
  base: Readonly<{ lat: number; lng: number }> | null;
  /** When the business is to be closed, null while it stays open. */
  closesAt: Date | null;
}>;

/** The profile of an account; null for an unknown account, or one whose business has not come by yet. */
export async function getProfile(db: Pool | PoolClient, accountId: string): Promise<Profile | null> {
  const { rows } = await db.query<Profile>(
    plannedOnce(
      `select a.account_id as "accountId", a.business_id as "businessId", a.onboarding,
       a.email_confirmed as "emailConfirmed", b.shows_phone as "showsPhone",
       json_build_object('firstName', a.first_name, 'lastName', a.last_name, 'email', a.email, 'phone', a.phone)
         as "user",
       b.region, b.plan, b.time_zone as "timeZone", b.slug, b.theme, b.logo, b.intro, b.bn, b.name,
       b.trading_name as "tradingName", b.closes_at as "closesAt",
       case when b.base_lat is not null
         then json_build_object('lat', b.base_lat, 'lng', b.base_lng) end as "base"
     from ${accountTables.accounts} a join ${accountTables.businesses} b using (business_id)
     where a.account_id = $1`,
      [accountId],
    ),
  );
  return rows[0] ?? null;
}

/** Who owns which business, by account id, those after `after` first; accounts whose business is not open are left out. */
export async function listOwners(
  db: Pool | PoolClient,
  after: string,
  limit: number,
): Promise<Pick<Profile, 'accountId' | 'businessId'>[]> {
  const { rows } = await db.query<Pick<Profile, 'accountId' | 'businessId'>>(
    `select a.account_id as "accountId", a.business_id as "businessId"
     from ${accountTables.accounts} a join ${accountTables.businesses} b using (business_id)
     where a.account_id > $1 order by a.account_id limit $2`,
    [after, limit],
  );
  return rows;
}

/** As `listOwners`, of businesses in one IANA zone. */
export async function listOwnersIn(
  db: Pool | PoolClient,
  timeZone: string,
  after: string,
  limit: number,
): Promise<Pick<Profile, 'accountId' | 'businessId'>[]> {
  const { rows } = await db.query<Pick<Profile, 'accountId' | 'businessId'>>(
    `select a.account_id as "accountId", a.business_id as "businessId"
     from ${accountTables.accounts} a join ${accountTables.businesses} b using (business_id)
     where b.time_zone = $1 and a.account_id > $2 order by a.account_id limit $3`,
    [timeZone, after, limit],
  );
  return rows;
}

/** The IANA zones of all businesses, each with the instant at which its current week began: Monday 00:00 there. */
export async function listMondays(
  db: Pool | PoolClient,
  now: Date,
): Promise<Readonly<{ timeZone: string; monday: Date }>[]> {
  const { rows } = await db.query<{ timeZone: string; monday: Date }>(
    `select zone as "timeZone", date_trunc('week', $1::timestamptz, zone) as monday
     from (select distinct time_zone as zone from ${accountTables.businesses}) zones order by zone`,
    [now],
  );
  return rows;
}

type Closed = Readonly<{ accountIds: readonly string[]; businessIds: readonly string[] }>;

/** Subjects of which a row is there that an erasure takes out, in this release or before it. */
export async function findUnclosed(
  db: Pool | PoolClient,
  { accountIds, businessIds }: Closed,
): Promise<Readonly<{ place: string; subject: string }>[]> {
  const { rows } = await db.query<{ place: string; subject: string }>(
    `select 'read.accounts' as place, 'account-' || account_id as subject from ${accountTables.accounts}
       where account_id = any($1)
     union select 'read.account_businesses', 'business-' || business_id from ${accountTables.businesses}
       where business_id = any($2)
     union select 'read.public_forms', 'business-' || business_id from ${publicFormTables.forms} where business_id = any($2)
     union select 'read.public_form_questions', 'business-' || business_id from ${publicFormTables.questions}
       where business_id = any($2)`,
    [accountIds, businessIds],
  );
  return rows;
}

/** Deletes them from the tables of earlier versions, which follow the log no more; answers how many rows. */
export async function deleteFromEarlierAccounts(
  db: Pool,
  { accountIds, businessIds }: Closed,
): Promise<number> {
  let deleted = 0;
  for (const [table, key, ids] of [
    [accountsTable.name, 'account_id', accountIds],
    [businessesTable.name, 'business_id', businessIds],
  ] as const) {
    for (const quoted of await findEarlierTables(db, [table], version)) {
      const { rowCount } = await db.query(`delete from ${quoted} where ${key} = any($1)`, [ids]);
      deleted += rowCount ?? 0;
    }
  }
  return deleted;
}

/** How many accounts have a business that is open. */
export async function countOwners(db: Pool | PoolClient): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from ${accountTables.accounts} a join ${accountTables.businesses} b using (business_id)`,
  );
  return rows[0]?.n ?? 0;
}

/** The IANA zone of a business; null for one that has not come by yet. */
export async function getTimeZone(db: Pool | PoolClient, businessId: string): Promise<string | null> {
  const { rows } = await db.query<{ timeZone: string }>(
    `select time_zone as "timeZone" from ${accountTables.businesses} where business_id = $1`,
    [businessId],
  );
  return rows[0]?.timeZone ?? null;
}
