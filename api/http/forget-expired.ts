import type { Pool, PoolClient } from 'pg';
import { plannedOnce } from '#core/postgres/statement.ts';

const AT_ONCE = 20;

/** The tables of short memory: each has `expires_at`, until when a row counts. */
type Perishable =
  | 'state.alert_messages'
  | 'state.answer_links'
  | 'state.bot_check_spent'
  | 'state.bot_check_tickets'
  | 'state.reservations'
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
 * Deletes rows that have expired, a few at a time: every statement that adds a row is followed by this, so that a table loses
 * more than it gets. Rows that another transaction holds are left to it.
 */
export async function forgetExpired(db: Pool | PoolClient, table: Perishable, now: Date): Promise<void> {
  await db.query(plannedOnce(deletion(table, '$1'), [now]));
}

/**
 * The same as a part of the statement that adds the row, for its `with`. `now` names a parameter that is a timestamptz.
 * @param added a condition on the row that is added, where that may be an expired one: no statement changes and deletes a row
 */
export function forgetting(table: Perishable, now: string, added = 'false'): string {
  return `forgotten_${table.replace('state.', '')} as (${deletion(table, now, ` and not (${added})`)})`;
}

/** In the order of their index: a plan for all values takes every third row for expired, and would read the table for twenty. */
function deletion(table: Perishable, now: string, but = ''): string {
  return `delete from ${table} where ctid = any(array(
    select ctid from ${table} where expires_at <= ${now}${but} order by expires_at limit ${AT_ONCE} for update skip locked))`;
}
