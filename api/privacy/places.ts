import type { Pool } from 'pg';

/** Who is erased, by what stands in the tables. */
export type Erased = Readonly<{ jobIds: readonly string[]; demoIds: readonly string[] }>;

/**
 * A table and what it knows of a person. `clear` removes that, and bears a repeat; it answers how many rows it touched. Without
 * it the table knows no one, is cleared by a projection, or `why` says what else becomes of it.
 */
export type Place = Readonly<{
  /** With its schema; of a read model without its version. */
  table: string;
  why: string;
  clear?: (db: Pool, erased: Erased) => Promise<number>;
}>;

const ofMessages = `(job_id = any($1) or data->>'demoId' = any($2))`;

/** Every table of `state` and `read`: the one list of what an erasure has to think of. */
export const places: readonly Place[] = [
  { table: 'read.checkpoints', why: 'positions' },
  { table: 'read.projection_parked', why: 'places and types of events' },
  { table: 'read.jobs', why: 'the projection blanks the row by JobCustomerErased' },
  { table: 'read.job_search', why: 'the projection blanks the row by JobCustomerErased' },
  { table: 'read.job_details', why: 'the projection blanks the row by JobCustomerErased' },
  { table: 'read.job_counts', why: 'numbers' },
  { table: 'read.job_cards', why: 'of an earlier release: the row is deleted' },
  { table: 'read.held_jobs', why: 'of an earlier release: the row is deleted' },
  { table: 'read.accounts', why: 'the tradie' },
  { table: 'read.account_businesses', why: 'the tradie' },
  { table: 'read.public_forms', why: 'what the business publishes' },
  { table: 'read.public_form_questions', why: 'what the business asks' },

  { table: 'state.subject_keys', why: 'the key is destroyed' },
  { table: 'state.files', why: 'the bytes are deleted first, then the row' },
  {
    table: 'state.outbox_page',
    why: 'messages in full, where mail is embedded',
    clear: (db, erased) =>
      run(
        db,
        `delete from state.outbox_page where id in (
           select page.id from state.outbox_page as page
           join state.outbox on outbox.id = case when page.id ~ '^[0-9a-f-]{36}$' then page.id::uuid end
           where ${ofMessages})`,
        erased,
      ),
  },
  {
    table: 'state.outbox',
    why: 'what has not gone out is cancelled; what went out stays by its ids, as the list of what is out of reach',
    clear: (db, erased) =>
      run(
        db,
        `update state.outbox set delivery_status = 'cancelled', failure = null, leased_until = null, settled_at = now()
         where ${ofMessages} and delivery_status in ('waiting', 'held', 'dead')`,
        erased,
      ),
  },
  {
    table: 'state.answer_links',
    why: 'links to the job; that to the details stays as a hash, and says only that they were removed, and when',
    clear: (db, { jobIds }) =>
      count(
        db.query(`delete from state.answer_links where job_id = any($1) and kind <> 'privacy'`, [jobIds]),
      ),
  },
  {
    table: 'state.intake',
    why: 'the hash of where the request came from',
    clear: (db, { jobIds }) => count(db.query('delete from state.intake where job_id = any($1)', [jobIds])),
  },
  {
    table: 'state.idempotency',
    why: 'the hash of what was typed goes; the record stays for its day, so that a repeat makes no job again',
    clear: (db, { jobIds, demoIds }) =>
      count(
        db.query(
          `update state.idempotency set body_hash = '' where result_id = any($1) and body_hash <> ''`,
          [[...jobIds, ...demoIds]],
        ),
      ),
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
  { table: 'state.process_positions', why: 'positions' },
  { table: 'state.process_parked', why: 'places and types of events' },
  ...[
    ...['credentials', 'sessions', 'reset_tokens', 'contact_changes', 'email_confirmations', 'reservations'],
    ...['registrations', 'registration_codes', 'registration_emails', 'pending_credentials', 'code_messages'],
  ].map((name) => ({ table: `state.${name}`, why: 'of accounts and applicants, not of customers' })),
];

async function run(db: Pool, text: string, { jobIds, demoIds }: Erased): Promise<number> {
  return count(db.query(text, [jobIds, demoIds]));
}

async function count(query: Promise<{ rowCount: number | null }>): Promise<number> {
  return (await query).rowCount ?? 0;
}
