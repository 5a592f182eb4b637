import { reservationKey } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import { hashSource } from '#api/http/client-address.ts';
import { tooManyRequests } from '#api/http/errors.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { inTransaction } from '#core/postgres/transaction.ts';

/** Different emails, and different mobiles, that one draft in an hour and one client in a day may ask about. */
const PER_DRAFT = { points: 5, seconds: 3_600 };
const PER_SOURCE = { points: 20, seconds: 86_400 };

type Kind = 'email' | 'mobile';

/** What a draft asks about, normalised; `address` is the client's. */
export type Asked = Readonly<{ registrationId: string; kind: Kind; value: string; address: string }>;

export type CountQuestion = (asked: Asked) => Promise<void>;

/** Counts that a client asks whether an account has an email or a mobile. Throws 429 for too many in a day. */
export function sourceOfQuestions(
  deps: Pick<Deps, 'config' | 'db'>,
): (kind: Kind, address: string) => Promise<void> {
  const limiterOf = (kind: Kind) =>
    sharedLimiter(deps, { name: `registration-${kind}-source`, ...PER_SOURCE });
  const limiters = { email: limiterOf('email'), mobile: limiterOf('mobile') };
  return (kind, address) => limiters[kind].consume(hashSource(address, deps.config.keys.botCheck));
}

/**
 * Counts a question of a draft, as the answer tells who has an account. The same email or mobile again is no other
 * question. Throws 429 for too many different ones.
 */
export function countQuestions(deps: Pick<Deps, 'config' | 'db' | 'now'>): CountQuestion {
  const ofSource = sourceOfQuestions(deps);
  return async (asked) => {
    if (await note(deps, asked)) await ofSource(asked.kind, asked.address);
  };
}

/** Whether the draft asks this for the first time. Throws 429 when it asked for too many others. */
function note(
  { db, config, now }: Pick<Deps, 'config' | 'db' | 'now'>,
  { registrationId, kind, value }: Asked,
): Promise<boolean> {
  const key = reservationKey(config, kind, value);
  return inTransaction(db, async (transaction) => {
    // Those of one draft wait for each other, so that asking at once asks for no more.
    await transaction.query('select 1 from state.registrations where registration_id = $1 for update', [
      registrationId,
    ]);
    const at = now();
    const { rows } = await transaction.query<{ key: Buffer; until: Date }>(
      `select email_key as key, expires_at as until from state.registration_emails
       where registration_id = $1 and kind = $2 and expires_at > $3 order by expires_at`,
      [registrationId, kind, at],
    );
    if (rows.some((asked) => asked.key.equals(key))) return false;
    const oldest = rows.length >= PER_DRAFT.points ? rows[0] : undefined;
    if (oldest) throw tooManyRequests((oldest.until.getTime() - at.getTime()) / 1_000);
    await transaction.query(
      `insert into state.registration_emails (registration_id, email_key, kind, expires_at) values ($1, $2, $3, $4)
       on conflict (registration_id, email_key) do update set expires_at = excluded.expires_at`,
      [registrationId, key, kind, new Date(at.getTime() + PER_DRAFT.seconds * 1_000)],
    );
    await forgetExpired(transaction, 'state.registration_emails', at);
    return true;
  });
}
