import type { Pool, PoolClient } from 'pg';

/** Who is erased, by what stands in the tables. A business is erased with its jobs, page by page; those are not in `jobIds`. */
export type Erased = Readonly<{
  jobIds: readonly string[];
  demoIds: readonly string[];
  accountIds?: readonly string[];
  businessIds?: readonly string[];
}>;

/**
 * Rows that must not be there afterwards, as a condition in SQL, and whose they are: `:jobs`, `:demos`, `:accounts` and `:businesses` are
 * lists of ids. `clear` is what is done to them: they are deleted, or what is set.
 */
type Rows = Readonly<{ where: string; subject: string; clear: 'delete' | `set ${string}` }>;

/**
 * A table and what it knows of a person. Without `holds` the table knows no one, is cleared by a projection or by steps of their own, or
 * `why` says what else becomes of it.
 */
export type Place = Readonly<{
  /** With its schema; of a read model without its version. */
  table: string;
  why: string;
  holds?: Rows | readonly Rows[];
}>;

/** Messages to or about them. */
export const ofMessages = `(job_id = any(:jobs) or data->>'demoId' = any(:demos)
  or data->>'accountId' = any(:accounts) or business_id = any(:businesses))`;
const ofAccount = {
  where: 'account_id = any(:accounts::uuid[])',
  subject: `'account-' || account_id`,
  clear: 'delete',
} as const;

/** Days in which no one else gets the public address of a closed business. */
const addressDays = 180;

/** Every table of `state` and `read`: the one list of what an erasure has to think of. */
export const places: readonly Place[] = [
  { table: 'read.checkpoints', why: 'positions' },
  { table: 'read.projection_parked', why: 'places and types of events' },
  { table: 'read.jobs', why: 'the projection blanks the row by JobCustomerErased' },
  { table: 'read.job_search', why: 'the projection blanks the row by JobCustomerErased' },
  { table: 'read.job_details', why: 'the projection blanks the row by JobCustomerErased' },
  { table: 'read.job_counts', why: 'numbers' },
  { table: 'read.job_spans', why: 'statuses and times of jobs, and no text' },
  { table: 'read.accounts', why: 'the projection deletes the row by AccountErased' },
  { table: 'read.account_businesses', why: 'the projection deletes the row by BusinessClosed' },
  { table: 'read.public_forms', why: 'the projection deletes the row by BusinessClosed' },
  { table: 'read.public_form_questions', why: 'the projection deletes the row by EnquiryFormClosed' },

  { table: 'state.subject_keys', why: 'the key is destroyed' },
  { table: 'state.files', why: 'the bytes are deleted first, then the row' },
  {
    table: 'state.sessions',
    why: 'no session of the account is accepted any more',
    holds: {
      where: 'account_id = any(:accounts::uuid[]) or business_id = any(:businesses::uuid[])',
      subject: `case when account_id = any(:accounts::uuid[]) then 'account-' || account_id else 'business-' || business_id end`,
      clear: 'delete',
    },
  },
  { table: 'state.credentials', why: 'no one signs in with them any more', holds: ofAccount },
  { table: 'state.reset_tokens', why: 'links to a new password', holds: ofAccount },
  { table: 'state.contact_changes', why: 'an email or mobile on its way to the account', holds: ofAccount },
  {
    table: 'state.email_confirmations',
    why: 'links that confirm the email',
    holds: { ...ofAccount, where: 'account_id = any(:accounts)' },
  },
  {
    table: 'state.reservations',
    why: 'email and mobile are free; the address of the public page leads nowhere, and to no one else for a while',
    holds: {
      where: `owner = any(:accounts::uuid[]) and status <> 'left'`,
      subject: `'account-' || owner`,
      clear: `set status = 'left', expires_at = now() + case kind when 'slug' then interval '${addressDays} days' else interval '0' end`,
    },
  },
  {
    table: 'state.outbox_page',
    why: 'messages in full, where mail is embedded',
    holds: {
      where: `id in (select page.id from state.outbox_page as page
        join state.outbox on outbox.id = case when page.id ~ '^[0-9a-f-]{36}$' then page.id::uuid end
        where ${ofMessages})`,
      subject: `'message-' || id`,
      clear: 'delete',
    },
  },
  {
    table: 'state.outbox',
    why: 'what has not gone out is cancelled; what went out stays by its ids, as the list of what is out of reach',
    holds: {
      where: `${ofMessages} and delivery_status in ('waiting', 'held', 'dead')`,
      subject: `case when job_id = any(:jobs) then 'customer-' || job_id when data->>'demoId' = any(:demos) then 'demo-' || (data->>'demoId')
        when data->>'accountId' = any(:accounts) then 'account-' || (data->>'accountId') else 'business-' || business_id end`,
      clear: `set delivery_status = 'cancelled', failure = null, leased_until = null, settled_at = now()`,
    },
  },
  {
    table: 'state.answer_links',
    why: 'links to the job; that to the details stays as a hash, and says only that they were removed, and when, while the business is open, and a year later only whose it was; that which calls the job off says that alone, at once',
    holds: [
      {
        where: `(job_id = any(:jobs) and kind = 'answer') or business_id = any(:businesses) or account_id = any(:accounts)`,
        subject: `case when job_id = any(:jobs) then 'customer-' || job_id else 'business-' || business_id end`,
        clear: 'delete',
      },
      {
        where: `job_id = any(:jobs) and kind = 'not-needed'`,
        subject: `'customer-' || job_id`,
        // The hour at which it ends is that at which the request came.
        clear: `set job_id = null, opens_until = null, expires_at = date_trunc('day', expires_at, 'UTC')`,
      },
    ],
  },
  {
    table: 'state.intake',
    why: 'the hash of where the request came from',
    holds: {
      where: 'job_id = any(:jobs) or business_id = any(:businesses)',
      subject: `case when job_id = any(:jobs) then 'customer-' || job_id else 'business-' || business_id end`,
      clear: 'delete',
    },
  },
  {
    table: 'state.idempotency',
    why: 'the hash of what was typed goes; the record stays for its day, so that a repeat makes no job again',
    holds: {
      where: `(result_id = any(:jobs) or result_id = any(:demos) or split_part(scope, ':', 2) = any(:businesses)) and body_hash <> ''`,
      subject: `case when result_id = any(:demos) then 'demo-' || result_id else 'customer-' || result_id end`,
      clear: `set body_hash = ''`,
    },
  },
  { table: 'state.erasures', why: 'ids and moments' },
  { table: 'state.alert_messages', why: 'ids of messages, for a day' },
  { table: 'state.form_requests', why: 'numbers per business and minute' },
  { table: 'state.bot_check_spent', why: 'challenges, for minutes' },
  { table: 'state.bot_check_tickets', why: 'hashes of tickets, for minutes' },
  { table: 'state.rate_limits', why: 'keyed hashes, for a day at most' },
  { table: 'state.login_failures', why: 'hashes, for a day' },
  { table: 'state.announcements', why: 'what the operator wrote' },
  { table: 'state.key_fingerprints', why: 'of the installation' },
  { table: 'state.log_identity', why: 'of the installation' },
  { table: 'state.backups', why: 'moments' },
  { table: 'state.retention_runs', why: 'moments and numbers' },
  { table: 'state.clock_seen', why: 'moments' },
  { table: 'state.process_positions', why: 'positions' },
  { table: 'state.process_parked', why: 'places and types of events' },
  ...[
    ...['registrations', 'registration_codes', 'registration_emails', 'pending_credentials', 'code_messages'],
  ].map((name) => ({
    table: `state.${name}`,
    why: 'of applicants: hashes, and a draft that is blanked as it becomes an account; all of it for seven days',
  })),
];

/** Clears one place, bearing a repeat; answers how many rows that touched. */
export async function clearPlace(db: Pool, { table, holds = [] }: Place, erased: Erased): Promise<number> {
  let cleared = 0;
  for (const { where, clear } of [holds].flat()) {
    const text =
      clear === 'delete' ? `delete from ${table} where ${where}` : `update ${table} ${clear} where ${where}`;
    cleared += (await db.query(bound(text, erased))).rowCount ?? 0;
  }
  return cleared;
}

/** A place that still holds something of a subject. */
export type Remains = Readonly<{ place: string; subject: string }>;

/** What is left of these subjects in the places that have conditions. */
export async function findInPlaces(db: Pool | PoolClient, erased: Erased): Promise<Remains[]> {
  const looks = places.flatMap(({ table, holds = [] }) =>
    [holds]
      .flat()
      .map(
        ({ subject, where }) =>
          `select '${table}' as place, ${subject} as subject from ${table} where ${where}`,
      ),
  );
  const { rows } = await db.query<Remains>(bound(looks.join('\nunion '), erased));
  return rows;
}

/** A statement in which the named lists stand as parameters. */
export function bound(text: string, { jobIds, demoIds, accountIds = [], businessIds = [] }: Erased) {
  const lists = { jobs: jobIds, demos: demoIds, accounts: accountIds, businesses: businessIds };
  const used = Object.entries(lists).filter(([name]) => text.includes(`:${name}`));
  return {
    text: used.reduce((all, [name], index) => all.replaceAll(`:${name}`, `$${index + 1}::text[]`), text),
    values: used.map(([, ids]) => ids),
  };
}
