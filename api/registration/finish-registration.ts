import { createCredential } from '#api/accounts/credentials.ts';
import { keep, reservationsOf, reserve, takenMessages } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { type AccountCommand, accountDecider } from '#core/account/decider.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { batchDecider, type Command, type Decider } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import type { Event } from '#core/kernel/event.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import type { RegistrationEvent } from '#core/registration/events.ts';
import { dropDraft, pendingHash } from './drafts.ts';
import { idsOf } from './load-registration.ts';

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

/** What a completed registration opens. */
type Completed = RegistrationEvent<'RegistrationCompleted'>['data'];

/** `commandId` is a UUID, from which the id of each command derives. */
type OpeningCause = Readonly<{ commandId: string; actor: string; correlation: string }>;

/** What it takes to open an account. */
type OpeningDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now'>;

/**
 * The one way to an account: reserves email, mobile and slug (each normalised), so that of many at once exactly one wins,
 * stores the password's hash (null where one is stored already), opens account, business and enquiry form, and keeps the
 * reservations. Repeated under the same cause it finishes what a crash left. Throws ConflictError when another account has
 * one of the three.
 */
async function openAccount(
  deps: OpeningDeps,
  completed: Completed,
  { cause, hash }: Readonly<{ cause: OpeningCause; hash: string | null }>,
): Promise<Position> {
  const { accountId, businessId } = completed;
  const reservations = reservationsOf(deps.config, completed);
  const [taken] = await reserve(deps.db, accountId, reservations, deps.now());
  if (taken) throw new ConflictError(takenMessages[taken], 'taken');
  if (hash !== null) await createCredential(deps.db, { accountId, businessId, hash }, deps.now());
  const position = await openStreams(deps, completed, cause);
  await keep(deps.db, accountId, reservations);
  return position;
}

/**
 * Opens an account, its business and its enquiry form, whose email, mobile and slug are the account's already. A repeat
 * finishes what a crash left; once all is open, it leaves what the owner has changed since. Answers the position of the
 * last event.
 */
async function openStreams(
  { store }: Pick<Deps, 'store'>,
  completed: Completed,
  { commandId, actor, correlation }: OpeningCause,
): Promise<Position> {
  const { accountId, businessId, email, phone, firstName, lastName, completedAt: at } = completed;
  const { region, plan, bn, name, tradingName, tagline, timeZone, coverage, slug, trades } = completed;
  /** What opens a stream stands or falls together: one read, one append, one batch of each projection. */
  const open = <State, C extends Command, E extends Event>(
    decider: Decider<State, C, E>,
    stream: StreamName,
    commands: readonly C[],
  ) => {
    const batch = { type: 'Batch', at, data: { commands } } as const;
    const cause = { commandId: uuidV5(commandId, stream), actor, correlation };
    return handleCommand(store, batchDecider(decider), stream, batch, cause);
  };

  // The form is opened last.
  const formStream = streamName('enquiryForm', businessId);
  const opened = (await store.readStream(formStream)).at(-1);
  if (opened) return opened.position;

  const notifications = { newsletter: completed.subscribe };
  const ofAccount: readonly AccountCommand[] = [
    { type: 'OpenAccount', at, data: { accountId, businessId, email, phone, firstName, lastName } },
    { type: 'AwaitEmailConfirmation', at, data: { accountId } },
    { type: 'ChangeNotifications', at, data: { accountId, notifications } },
  ];
  await open(accountDecider, streamName('account', accountId), ofAccount);

  const shown = { region, plan, bn, name, tradingName, tagline, timeZone, coverage };
  const ofBusiness: readonly BusinessCommand[] = [
    { type: 'RegisterBusiness', at, data: { accountId, businessId, ...shown } },
    { type: 'ChangePublicAddress', at, data: { businessId, slug } },
    ...(completed.showPhone
      ? [{ type: 'PublishBusinessContact', at, data: { businessId, phone, email: null } } as const]
      : []),
  ];
  await open(businessDecider, streamName('business', businessId), ofBusiness);

  const form = { type: 'OpenEnquiryForm', at, data: { businessId, trades } } as const;
  return (await open(enquiryFormDecider, formStream, [form])).position;
}
