import { createHash } from 'node:crypto';
import type { Deps } from '#api/deps.ts';
import { contextOf } from '#api/http/request-context.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { RegistrationEvent } from '#core/registration/events.ts';
import { stepAnswers } from '#core/registration/state.ts';
import { furthestStep, lastStep } from '#core/values/registration-steps.ts';
import { slugsFrom } from '#core/values/slug-from-name.ts';
import { holdClaims, takenMessages } from './claims.ts';
import { findDraft, noteCompletionKey, pendingHash } from './drafts.ts';
import { claimsOf, finishRegistration } from './finish-registration.ts';
import { decideRegistration, type OpenRegistration } from './load-registration.ts';
import { taglineOf, zoneOf } from './place-of-business.ts';
import { idsOf, noRegistration } from './registration-ids.ts';
import { unfinished } from './save-draft.ts';

/** How long a completion may be asked for again under its key, in milliseconds: its answer may have been lost. */
const AGAIN_MS = 15 * 60_000;

export type CompletedRegistration = Readonly<{ accountId: string; position: Position }>;

/**
 * Turns a draft into an account, from what the server knows of it. Once, whatever is repeated or runs at once: the same
 * key again answers the same account. Throws 409 for steps that are not done and for an email or mobile of somebody else,
 * 404 for a registration that is over.
 */
export async function completeRegistration(
  deps: Deps,
  open: OpenRegistration,
  key: string | null,
  request: Request,
): Promise<CompletedRegistration> {
  const { registrationId, registration } = open;
  const keyHash = key === null ? null : createHash('sha256').update(key).digest('hex');
  if (registration.completed === null) {
    await noteCompletionKey(deps.db, registrationId, keyHash);
    return finish(deps, await decide(deps, open, request), request);
  }
  const age = deps.now().getTime() - Date.parse(registration.completed.completedAt);
  // Read anew: the draft in `open` may be from before the completion, and its key is noted before that.
  const draft = await findDraft(deps.db, registrationId, deps.now());
  if (keyHash === null || keyHash !== draft?.completionKeyHash || age > AGAIN_MS) throw noRegistration();
  return finish(deps, registration.completed, request);
}

async function finish(
  deps: Deps,
  completed: RegistrationEvent<'RegistrationCompleted'>['data'],
  request: Request,
): Promise<CompletedRegistration> {
  const position = await finishRegistration(deps, completed, contextOf(request).id);
  return { accountId: completed.accountId, position };
}

/** The one fact that decides everything else. What only one may have is held before it. */
async function decide(
  deps: Deps,
  { registrationId, registration }: OpenRegistration,
  request: Request,
): Promise<RegistrationEvent<'RegistrationCompleted'>['data']> {
  const { answers, verifiedEmail: email, verifiedPhone: phone } = registration;
  const { region } = answers;
  const ready = furthestStep(stepAnswers(registration)) === lastStep && region !== null;
  if (!ready || email === null || phone === null) throw unfinished(registration);
  if ((await pendingHash(deps.db, registrationId)) === null) {
    throw unfinished({ ...registration, passwordSet: false });
  }
  const { accountId, businessId, commandId } = idsOf(registrationId);
  const slug = await holdIdentity(deps, registrationId, { email, phone, name: answers.tradingName });
  const place = { tagline: await taglineOf(answers, region), timeZone: zoneOf(answers, region) };
  const data = { registrationId, accountId, businessId, email, phone, slug, ...place };
  const command = { type: 'CompleteRegistration', at: deps.now().toISOString(), data } as const;
  const id = uuidV5(commandId, command.type);
  const { completed } = await decideRegistration(deps, command, { request, commandId: id });
  if (completed === null) throw noRegistration();
  return completed;
}

type Identity = Readonly<{ email: string; phone: string; name: string }>;

/** Holds the email, the mobile and the first free address of a name for the account. Throws 409 when one is another's. */
async function holdIdentity(
  deps: Deps,
  registrationId: string,
  { email, phone, name }: Identity,
): Promise<string> {
  const { accountId } = idsOf(registrationId);
  for (const slug of slugsFrom(name, registrationId)) {
    const claims = claimsOf(deps, { email, phone, slug });
    const taken = await holdClaims(deps.db, accountId, claims, deps.now());
    if (taken.length === 0) return slug;
    const own = taken.find((kind) => kind !== 'slug');
    if (own) throw new ConflictError(takenMessages[own]);
  }
  throw new ConflictError(takenMessages.slug);
}
