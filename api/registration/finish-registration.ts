import { queueMessage } from '#api/messages/outbox/outbox.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { RegistrationEvent } from '#core/registration/events.ts';
import { dropDraft, pendingHash } from './drafts.ts';
import { type OpeningDeps, openAccount } from './open-account.ts';
import { idsOf } from './registration-ids.ts';

/** `actor`: of the completion; without one it is the account that is to be. */
type FinishingCause = Readonly<{ actor?: string; correlation: string }>;

/**
 * Carries out what a completed registration decided: password, account, business, enquiry form, and the reservations for
 * good. Runs after the event that says so, in the API and again in the worker; what is there already is left as it is.
 * Throws ConflictError when what it reserved has gone to another account before a process finished it.
 */
export async function finishRegistration(
  deps: OpeningDeps,
  completed: RegistrationEvent<'RegistrationCompleted'>['data'],
  { actor, correlation }: FinishingCause,
): Promise<Position> {
  const { registrationId, accountId, businessId } = completed;
  const hash = await pendingHash(deps.db, registrationId);
  const form = await deps.store.readStream(streamName('enquiryForm', businessId));
  const last = form.at(-1);
  // What is finished is left alone: by now the account may have another email, and another account this one.
  if (last && hash === null) return last.position;
  const { commandId, actor: applicant } = idsOf(registrationId);
  const cause = { commandId, actor: actor ?? applicant, correlation };
  const position = await openAccount(deps, completed, { cause, hash });
  // Invented people get no mail.
  if (actor !== 'seed') {
    const welcome = { id: uuidV5(accountId, 'welcome'), kind: 'welcome', data: { accountId } } as const;
    await queueMessage(deps.db, welcome, deps.now());
  }
  await dropDraft(deps.db, registrationId);
  return position;
}
