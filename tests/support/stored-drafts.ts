import { passwords } from '#api/accounts/passwords/passwords.ts';
import { openDraft, storeDraft, storePendingCredential } from '#api/registration/drafts.ts';
import { idsOf, newRid, registrationIdOf } from '#api/registration/load-registration.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { registrationDecider } from '#core/registration/decider.ts';
import type { RegistrationDraft } from '#core/registration/draft.ts';
import type { TestApp } from './api.ts';
import type { Client } from './api-client.ts';
import { aRegistrant, type Registrant } from './registrations.ts';

const device = {
  ...{ screenWidth: null, screenHeight: null, colourDepth: null, language: null, timezoneOffset: null },
} as const;
let hash: Promise<string> | undefined;

/** A draft that stands in the log and the tables as the wizard leaves it before its end: for tests that need many. */
export async function storedDraft(
  { deps, as }: Pick<TestApp, 'deps' | 'as'>,
  overrides: Partial<Registrant> = {},
  { headers = {}, phoneVerified = true }: { headers?: Record<string, string>; phoneVerified?: boolean } = {},
): Promise<{ client: Client & { rid: string }; who: Registrant; registrationId: string }> {
  const who = aRegistrant(overrides);
  const rid = newRid();
  const registrationId = registrationIdOf(rid);
  const now = deps.now();
  await inTransaction(deps.db, (db) => openDraft(db, { registrationId, sourceHash: 'test', device }, now));
  hash ??= passwords.hash('Spanner#Wrench42');
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await storePendingCredential(deps.db, registrationId, { hash: await hash, expiresAt }, now);
  const draft = draftOf(who, phoneVerified);
  await storeDraft(deps, { registrationId, revision: 0 }, draft);
  const at = now.toISOString();
  const commands = [
    { type: 'StartRegistration', at, data: { registrationId, plan: 'plus' } },
    { type: 'RecordMilestones', at, data: { registrationId, draft } },
  ] as const;
  await handleCommand(
    deps.store,
    batchDecider(registrationDecider),
    streamName('registration', registrationId),
    { type: 'Batch', at, data: { commands } },
    { commandId: deps.newId(), actor: idsOf(registrationId).actor, correlation: 'test' },
  );
  return { client: { ...as({ ...headers, 'x-rid': rid }), rid }, who, registrationId };
}

function draftOf(who: Registrant, phoneVerified: boolean): RegistrationDraft {
  const { region, trade, specialty, bn, tradingName, location, email, phone } = who;
  const found = { name: `${tradingName} Pty Ltd`, registered: true, status: 'Active', postcode: null };
  return {
    step: 0,
    answers: {
      ...{ region, trades: [trade], specialties: [specialty] },
      entity: { bn, country: region, ...found },
      ...{ tradingName, firstName: 'Robin', lastName: 'Fenwickton', location },
      ...{ email, phone, subscribe: true, terms: true },
    },
    verifiedEmail: email,
    verifiedPhone: phoneVerified ? phone : null,
    passwordSet: true,
  };
}
