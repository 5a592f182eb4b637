import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { createCredential } from '../authenticate/credentials.ts';
import { passwords } from '../authenticate/passwords.ts';
import type { Deps } from '../deps.ts';
import { type BusinessRegistration, normaliseRegistration } from './business-registration.ts';
import { claimKey, holdClaims, keepClaims, slugClaim, takenMessages } from './claims.ts';
import { openBusiness } from './open-business.ts';

/** What a registration needs of the process. */
export type RegistrationDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now'>;

/**
 * `commandId` is a UUID: the same one again finishes what a crash left, and never opens a second business.
 * `at` is the instant of the events, for what happened before; else they happen now.
 */
export type RegistrationCause = Readonly<{
  commandId: string;
  actor: string;
  correlation: string;
  at?: string;
}>;

export type RegisteredBusiness = Readonly<{ accountId: string; businessId: string; position: Position }>;

/**
 * Opens an account, its business and its enquiry form. Email, mobile and slug are claimed first, so of many at once
 * exactly one wins; the others get ConflictError. Throws InvalidInputError with fields.
 */
export async function registerBusiness(
  deps: RegistrationDeps,
  typed: BusinessRegistration,
  cause: RegistrationCause,
): Promise<RegisteredBusiness> {
  const input = normaliseRegistration(typed);
  const accountId = uuidV5(cause.commandId, 'account');
  const businessId = uuidV5(cause.commandId, 'business');
  await claimIdentity(deps, accountId, input);
  const hash = await passwords.hash(input.password);
  await createCredential(deps.db, { accountId, businessId, hash }, deps.now());
  const at = cause.at ?? deps.now().toISOString();
  const position = await openBusiness(deps, { accountId, businessId }, input, { ...cause, at });
  await keepClaims(deps.db, accountId);
  return { accountId, businessId, position };
}

async function claimIdentity(
  deps: RegistrationDeps,
  accountId: string,
  input: BusinessRegistration,
): Promise<void> {
  const claims = [
    { kind: 'email', key: claimKey(deps.config, 'email', input.email) },
    { kind: 'mobile', key: claimKey(deps.config, 'mobile', input.phone) },
    slugClaim(deps.config, input.slug),
  ] as const;
  const [taken] = await holdClaims(deps.db, accountId, claims, deps.now());
  if (taken) throw new ConflictError(takenMessages[taken]);
}
