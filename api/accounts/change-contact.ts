import { createHmac } from 'node:crypto';
import { ConflictError } from '#core/kernel/errors.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/email.ts';
import { parsePhone, phoneMessage } from '#core/values/phone.ts';
import { createOwnerCheck } from '../authenticate/owner-check.ts';
import type { Deps } from '../deps.ts';
import { invalid } from '../http/http-errors.ts';
import { type Limiter, sharedLimiter } from '../http/limits.ts';
import type { Session } from '../http/request-context.ts';
import { inTransaction } from '../http/transaction.ts';
import { queueMessage } from '../messages/outbox.ts';
import { claimKey } from '../registration/claims.ts';
import { beginContactChange, type ContactKind, voidContactChanges } from './contact-changes.ts';
import { loadAccount } from './load-account.ts';
import { takenMessages } from './taken-messages.ts';

const MINUTE = 60_000;
/** How long the new address may take to confirm itself, in milliseconds. */
const LIFE: Record<ContactKind, number> = { email: 60 * MINUTE, mobile: 10 * MINUTE };
const KIND = { email: 'email-change-confirm', mobile: 'phone-change-code' } as const;

export type ContactWish = Readonly<{ kind: ContactKind; typed: string; currentPassword: string | undefined }>;

/**
 * Begins a change of email or mobile: the owner's password first, then a link or code to the new one. Nothing changes
 * before that comes back. The present one given again drops what was waiting. Throws 422 with fields, ConflictError when
 * it is somebody else's, 429.
 */
export function createContactChange(deps: Deps) {
  const checkOwner = createOwnerCheck(deps);
  const limits = contactLimits(deps);

  return async (session: Session, { kind, typed, currentPassword }: ContactWish): Promise<void> => {
    const value = normalise(kind, typed);
    const { accountId } = session;
    const { account } = await loadAccount(deps, accountId);
    if (value === (kind === 'email' ? account.email : account.phone)) {
      return voidContactChanges(deps.db, accountId, kind);
    }
    if (!currentPassword) throw invalid({ currentPassword: 'Enter your current password' });
    await checkOwner(session, currentPassword);
    await limits[kind](accountId, value);
    await refuseTaken(deps, accountId, kind, value);
    const now = deps.now();
    const expiresAt = new Date(now.getTime() + LIFE[kind]);
    const changeId = deps.newId();
    await inTransaction(deps.db, async (db) => {
      await beginContactChange(db, deps.config.keys, { changeId, accountId, kind, value, expiresAt }, now);
      const message = { id: deps.newId(), kind: KIND[kind], data: { changeId }, expiresAt };
      await queueMessage(db, message, now);
    });
    deps.messages?.poke();
  };
}

function normalise(kind: ContactKind, typed: string): string {
  if (kind === 'mobile') {
    const phone = parsePhone(typed);
    if (phone === null) throw invalid({ phone: phoneMessage });
    return phone;
  }
  const email = normaliseEmail(typed);
  if (!isEmail(email)) throw invalid({ email: emailMessage });
  return email;
}

/** Only a look: the address is claimed when it is confirmed, so that nobody can hold one that is not theirs. */
async function refuseTaken(deps: Deps, accountId: string, kind: ContactKind, value: string): Promise<void> {
  const { rowCount } = await deps.db.query(
    `select from state.claims
     where kind = $1 and key = $2 and owner <> $3 and (expires_at is null or expires_at > $4)`,
    [kind, claimKey(deps.config, kind, value), accountId, deps.now()],
  );
  if (rowCount) throw new ConflictError(takenMessages[kind]);
}

type Admit = (accountId: string, value: string) => Promise<void>;

/** A text message costs money and wakes whoever has the number; a mail does neither. */
function contactLimits(deps: Deps): Record<ContactKind, Admit> {
  const limiter = (name: string, points: number, seconds: number): Limiter =>
    sharedLimiter(deps, { name, points, seconds });
  const mails = limiter('email-change', 5, 3_600);
  const pace = limiter('phone-change-pace', 1, 60);
  const perDay = limiter('phone-change', 5, 86_400);
  const perNumber = limiter('phone-change-number', 3, 3_600);
  const keyOf = (value: string) =>
    createHmac('sha256', deps.config.keys.claim).update(`phone change ${value}`).digest('base64url');
  return {
    email: (accountId) => mails.consume(accountId),
    async mobile(accountId, value) {
      await pace.consume(accountId);
      await perDay.consume(accountId);
      await perNumber.consume(keyOf(value));
    },
  };
}
