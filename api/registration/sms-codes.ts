import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { countVerified } from '#api/accounts/contact-budgets.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { Config } from '#api/runtime/config/config.ts';

/** How long a code counts, in milliseconds. */
export const codeLife = 10 * 60_000;
/**
 * How often those that count may be guessed together, and how many a draft is sent in all its life: 25 guesses, each at five codes among
 * a million at most.
 */
const codeTries = 5;
const codesPerDraft = 5;

type Keys = Pick<Config, 'keys'>;

/** Which code: of this draft, for this mobile, in this message. */
export type CodeOf = Readonly<{ registrationId: string; phone: string; messageId: string }>;

/**
 * Counts a code that is to be sent; its digits come when it goes out. Those of before for the same mobile count on until their minutes
 * are over, and the tries that were spent on them are spent on this one too; once all are spent, it begins anew. Answers how many codes
 * are left, null when there was none left to send.
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
  const key = phoneKey(config, phone);
  await db.query(
    `delete from state.registration_codes
     where registration_id = $1 and (phone_key <> $2 or expires_at <= $3 or tries >= $4)`,
    [registrationId, key, now, codeTries],
  );
  await db.query(
    `insert into state.registration_codes (registration_id, message_id, phone_key, expires_at, tries)
     select $1, $2, $3, $4, coalesce(max(tries), 0) from state.registration_codes where registration_id = $1`,
    [registrationId, messageId, key, new Date(now.getTime() + codeLife)],
  );
  await forgetExpired(db, 'state.registration_codes', now);
  return codesPerDraft - sent;
}

/** Puts the digits that go out now under the code that is expected. False when it was for another mobile, or is over. */
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

/** Takes the draft's codes away: one was used, or they were for another mobile. */
export async function voidCodes(db: Pool | PoolClient, registrationId: string): Promise<void> {
  await db.query(`delete from state.registration_codes where registration_id in (${lockedDraft})`, [
    registrationId,
  ]);
}

/** One draft's codes are changed one change after another. */
const lockedDraft = 'select registration_id from state.registrations where registration_id = $1 for update';

/**
 * Spends one try on the draft's codes for this mobile, and all of them when one is right. Of guesses at once each spends its own try,
 * and of right ones exactly one counts. Answers the message that brought it, null for a wrong one.
 */
export async function spendCode(
  db: PoolClient,
  config: Keys,
  { registrationId, phone }: Omit<CodeOf, 'messageId'>,
  code: string,
  now: Date,
): Promise<string | null> {
  await db.query(lockedDraft, [registrationId]);
  const { rows } = await db.query<{ message_id: string; code_hmac: Buffer | null }>(
    `update state.registration_codes set tries = tries + 1
     where registration_id = $1 and phone_key = $2 and expires_at > $3 and tries < $4
     returning message_id, code_hmac`,
    [registrationId, phoneKey(config, phone), now, codeTries],
  );
  const right = rows.find(
    ({ message_id: messageId, code_hmac: expected }) =>
      expected !== null &&
      timingSafeEqual(expected, codeHmac(config, { registrationId, phone, messageId }, code)),
  );
  if (!right) return null;
  await voidCodes(db, registrationId);
  await countVerified(db, right.message_id, now);
  return right.message_id;
}

function phoneKey({ keys }: Keys, phone: string): Buffer {
  return createHmac('sha256', keys.claim).update(`code phone ${phone}`).digest();
}

function codeHmac({ keys }: Keys, { registrationId, phone, messageId }: CodeOf, code: string): Buffer {
  return createHmac('sha256', keys.claim)
    .update(`code ${registrationId} ${phone} ${messageId} ${code}`)
    .digest();
}
