import type { Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/http-errors.ts';
import { type ClaimKind, claimKey, isClaimed, takenMessages } from './claims.ts';
import { idsOf } from './rid.ts';

/** Throws 409 when somebody else has the email (in its one spelling), or is about to. */
export function assertFreeEmail(deps: Deps, registrationId: string, email: string): Promise<void> {
  return assertFree(deps, registrationId, 'email', email);
}

/** Throws 409 when somebody else has the mobile (E.164), or is about to. */
export function assertFreeMobile(deps: Deps, registrationId: string, phone: string): Promise<void> {
  return assertFree(deps, registrationId, 'mobile', phone);
}

async function assertFree(deps: Deps, registrationId: string, kind: ClaimKind, value: string): Promise<void> {
  const { accountId } = idsOf(registrationId);
  const key = claimKey(deps.config, kind, value);
  if (await isClaimed(deps.db, { kind, key }, accountId, deps.now())) {
    throw new HttpError(409, takenMessages[kind]);
  }
}
