import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { countVerified } from '#api/accounts/contact/contact-budgets.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { Config } from '#api/runtime/config/config.ts';

/** How long a code counts, in milliseconds. */
export const codeLife = 10 * 60_000;
/** How often one may be guessed, and how many a draft is sent in all its life: 25 guesses among a million. */
const codeTries = 5;
const codesPerDraft = 5;

type Keys = Pick<Config, 'keys'>;

/** Which code: of this draft, for this mobile, in this message. */
export type CodeOf = Readonly<{ registrationId: string; phone: string; messageId: string }>;

/**
 * Counts a code that is to be sent and makes it the draft's only one; its digits come when it goes out. Answers how many
 * codes are left, null when there was none left to send.
 */
export async function expectCode(
  db: PoolClient,
  config: Keys,
  { registrationId, phone, messageId }: CodeOf,
  now: Date,
): Promise<number | null> {
  const { rows } = await db.query<{ sent: number }>(
    `update state.registrations set codes_sent = codes_sent + 1
     where registration_id = $1 and codes_sent < $2 returning codes_sent as sent`,
    [registrationId, codesPerDraft],
  );
  const sent = rows[0]?.sent;
  if (sent === undefined) return null;
  await db.query(
    `insert into state.registration_codes (registration_id, message_id, phone_key, expires_at) values ($1, $2, $3, $4)
     on conflict (registration_id) do update set message_id = excluded.message_id, phone_key = excluded.phone_key,
       code_hmac = null, tries = 0, expires_at = excluded.expires_at`,
    [registrationId, messageId, phoneKey(config, phone), new Date(now.getTime() + codeLife)],
  );
  await forgetExpired(db, 'state.registration_codes', now);
  return codesPerDraft - sent;
}

/** Puts the digits that go out now under the code that is expected. False when that is another one by now, or over. */
export async function mintCode(
  db: Pool,
  config: Keys,
  of: CodeOf,
  code: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update state.registration_codes set code_hmac = $4
     where registration_id = $1 and message_id = $2 and phone_key = $3 and expires_at > $5 and tries < $6`,
    [of.registrationId, of.messageId, phoneKey(config, of.phone), codeHmac(config, of, code), now, codeTries],
  );
  return rowCount === 1;
}

/** Takes the draft's code away: it was for another mobile. */
export async function voidCode(db: Pool | PoolClient, registrationId: string): Promise<void> {
  await db.query('delete from state.registration_codes where registration_id = $1', [registrationId]);
}

/**
 * Spends one try on the draft's code for this mobile, and the code itself when it is right. Of guesses at once each spends
 * its own try, and of right ones exactly one counts. Answers the message that brought it, null for a wrong one.
 */
export async function spendCode(
  db: PoolClient,
  config: Keys,
  { registrationId, phone }: Omit<CodeOf, 'messageId'>,
  code: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await db.query<{ message_id: string; code_hmac: Buffer | null }>(
    `update state.registration_codes set tries = tries + 1
     where registration_id = $1 and phone_key = $2 and expires_at > $3 and tries < $4
     returning message_id, code_hmac`,
    [registrationId, phoneKey(config, phone), now, codeTries],
  );
  const row = rows[0];
  if (!row?.code_hmac) return null;
  const messageId = row.message_id;
  if (!timingSafeEqual(row.code_hmac, codeHmac(config, { registrationId, phone, messageId }, code)))
    return null;
  await voidCode(db, registrationId);
  await countVerified(db, messageId, now);
  return messageId;
}

function phoneKey({ keys }: Keys, phone: string): Buffer {
  return createHmac('sha256', keys.claim).update(`code phone ${phone}`).digest();
}

function codeHmac({ keys }: Keys, { registrationId, phone, messageId }: CodeOf, code: string): Buffer {
  return createHmac('sha256', keys.claim)
    .update(`code ${registrationId} ${phone} ${messageId} ${code}`)
    .digest();
}
