import type { Pool, PoolClient } from 'pg';

const AT_ONCE = 20;

/** The tables of short memory: each has `expires_at`, until when a row counts. */
type Perishable =
  | 'state.alert_messages'
  | 'state.answer_links'
  | 'state.bot_check_spent'
  | 'state.bot_check_tickets'
  | 'state.claims'
  | 'state.code_messages'
  | 'state.contact_changes'
  | 'state.email_confirmations'
  | 'state.form_requests'
  | 'state.idempotency'
  | 'state.intake'
  | 'state.login_failures'
  | 'state.pending_credentials'
  | 'state.registration_codes'
  | 'state.registration_emails'
  | 'state.reset_tokens'
  | 'state.sessions';

/**
 * Forgets rows that have expired, a few at a time: whoever adds a row calls this, so that a table takes away more than
 * it gets. Rows that another transaction holds are left to it.
 */
export async function forgetExpired(db: Pool | PoolClient, table: Perishable, now: Date): Promise<void> {
  await db.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where expires_at <= $1 limit ${AT_ONCE} for update skip locked))`,
    [now],
  );
}
