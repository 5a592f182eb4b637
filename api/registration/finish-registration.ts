import { createCredential } from '#api/authenticate/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { queueMessage } from '#api/messages/outbox.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { RegistrationCompleted } from '#core/registration/events.ts';
import { defaultThemeColour } from '#core/values/theme-colour.ts';
import { type Claim, claimKey, holdClaims, keepOnly, slugClaim, takenMessages } from './claims.ts';
import { openBusiness } from './open-business.ts';
import { dropPendingCredential, pendingHash } from './pending-credentials.ts';
import { idsOf } from './rid.ts';

export type FinishingDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now'>;

/**
 * Carries out what a completed registration decided: password, account, business, enquiry form, and the claims for good.
 * Runs after the event that says so, in the API and again in the worker; whatever is there already is left as it is.
 * Throws ConflictError when what it claimed has gone to somebody else while nobody finished it.
 */
export async function finishRegistration(
  deps: FinishingDeps,
  completed: RegistrationCompleted['data'],
  correlation: string,
): Promise<Position> {
  const { registrationId, accountId, businessId, completedAt: at, subscribe } = completed;
  const hash = await pendingHash(deps.db, registrationId);
  const form = await deps.store.readStream(streamName('enquiryForm', businessId));
  const last = form.at(-1);
  // What is finished is left alone: by now the account may have another email, and somebody else this one.
  if (last && hash === null) return last.position;
  const claims = claimsOf(deps, completed);
  const [taken] = await holdClaims(deps.db, accountId, claims, deps.now());
  if (taken) throw new ConflictError(takenMessages[taken]);
  if (hash !== null) await createCredential(deps.db, { accountId, businessId, hash }, deps.now());
  const { commandId, actor } = idsOf(registrationId);
  const face = {
    theme: defaultThemeColour,
    logo: null,
    intro: '',
    newsletter: subscribe,
    isEmailAwaited: true,
  };
  const ids = { accountId, businessId };
  const cause = { commandId, actor, correlation, at };
  const position = await openBusiness(deps, ids, { ...completed, ...face }, cause);
  const welcome = { id: uuidV5(accountId, 'welcome'), kind: 'welcome', data: { accountId } };
  await queueMessage(deps.db, welcome, deps.now());
  await keepOnly(deps.db, accountId, claims);
  await dropPendingCredential(deps.db, registrationId);
  return position;
}

/** The claims on what a registration has alone. */
export function claimsOf(
  { config }: Pick<Deps, 'config'>,
  { email, phone, slug }: Readonly<{ email: string; phone: string; slug: string }>,
): Claim[] {
  return [
    { kind: 'email', key: claimKey(config, 'email', email) },
    { kind: 'mobile', key: claimKey(config, 'mobile', phone) },
    slugClaim(config, slug),
  ];
}
