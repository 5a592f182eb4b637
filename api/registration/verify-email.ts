import type { Deps } from '#api/deps.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import { invalid, tooManyRequests } from '#api/http/http-errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf } from '#api/http/request-context.ts';
import { inTransaction } from '#api/http/transaction.ts';
import { hashSource } from '#api/public-forms/intake-limits.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/email.ts';
import { claimKey } from './claims.ts';
import { assertFreeEmail } from './free-identity.ts';
import { decideRegistration, type OpenRegistration } from './open-registration.ts';

/** Different emails that one draft in an hour, and one address in a day, may ask about: the answer tells who is here. */
const PER_DRAFT = { points: 5, seconds: 3_600 };
const PER_SOURCE = { name: 'registration-email-source', points: 20, seconds: 86_400 };

/**
 * Makes an email the draft's own, found to be nobody's. Throws 422 for what is none, 409 for one that is signed up, 429
 * for too many different ones.
 */
export function verifyEmail(deps: Deps) {
  const limiter = sharedLimiter(deps, PER_SOURCE);

  return async ({ registrationId }: OpenRegistration, typed: string, request: Request) => {
    const email = normaliseEmail(typed);
    if (!isEmail(email)) throw invalid({ email: emailMessage }, emailMessage);
    const fresh = await noteEmail(deps, registrationId, email);
    if (fresh) await limiter.consume(hashSource(contextOf(request).ip, deps.config.keys.botCheck));
    await assertFreeEmail(deps, registrationId, email);
    const command = {
      type: 'VerifyRegistrationEmail',
      at: deps.now().toISOString(),
      data: { registrationId, email },
    } as const;
    await decideRegistration(deps, command, { request });
    return email;
  };
}

/** Whether the draft asks for this email for the first time. Throws 429 when it asked for too many others. */
function noteEmail({ db, config, now }: Deps, registrationId: string, email: string): Promise<boolean> {
  const key = claimKey(config, 'email', email);
  return inTransaction(db, async (transaction) => {
    // Those of one draft wait for each other, so that asking at once asks for no more.
    await transaction.query('select 1 from state.registrations where registration_id = $1 for update', [
      registrationId,
    ]);
    const at = now();
    const { rows } = await transaction.query<{ key: Buffer; until: Date }>(
      `select email_key as key, expires_at as until from state.registration_emails
       where registration_id = $1 and expires_at > $2 order by expires_at`,
      [registrationId, at],
    );
    if (rows.some((asked) => asked.key.equals(key))) return false;
    const oldest = rows.length >= PER_DRAFT.points ? rows[0] : undefined;
    if (oldest) throw tooManyRequests((oldest.until.getTime() - at.getTime()) / 1_000);
    await transaction.query(
      `insert into state.registration_emails (registration_id, email_key, expires_at) values ($1, $2, $3)
       on conflict (registration_id, email_key) do update set expires_at = excluded.expires_at`,
      [registrationId, key, new Date(at.getTime() + PER_DRAFT.seconds * 1_000)],
    );
    await forgetExpired(transaction, 'state.registration_emails', at);
    return true;
  });
}
