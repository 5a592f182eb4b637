import type { Command, Decider } from '#core/kernel/decider.ts';
import { assertSound, ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { type Notifications, notificationNames } from '#core/values/account.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/contact.ts';
import { personNameProblems } from '#core/values/names.ts';
import { isStoredPhone } from '#core/values/phone.ts';
import { phoneMessage } from '#core/values/typed-phone.ts';
import { type AccountEvent, isAccountEvent } from './events.ts';
import { type AccountState, evolveAccount } from './state.ts';

const accountErasedMessage = 'This account was closed';

/** Who can sign in for a business. Email and phone are reserved for the account before the append. */
export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent> = {
  decide: decideAccount,
  evolve: evolveAccount,
  initialState: null,
  owns: isAccountEvent,
};

function decideAccount(command: AccountCommand, state: AccountState): AccountEvent[] {
  switch (command.type) {
    case 'OpenAccount':
      return openAccount(command, state);
    case 'FinishOnboarding':
      return finishOnboarding(command, state);
    case 'RenameAccount':
      return renameAccount(command, state);
    case 'ChangeAccountEmail':
      return changeAccountEmail(command, state);
    case 'ChangeAccountPhone':
      return changeAccountPhone(command, state);
    case 'AwaitEmailConfirmation':
      return awaitEmailConfirmation(command, state);
    case 'ConfirmAccountEmail':
      return confirmAccountEmail(command, state);
    case 'ChangeNotifications':
      return changeNotifications(command, state);
    case 'EraseAccount':
      return eraseAccount(command, state);
    default:
      return command satisfies never;
  }
}

function openAccount({ data, at }: OpenAccount, state: AccountState): AccountEvent[] {
  if (state !== null) {
    const same = state.accountId === data.accountId && state.businessId === data.businessId;
    if (same && state.email === data.email && state.phone === data.phone) return [];
    throw new ConflictError('This account already exists');
  }
  assertSound(problemsOf(data), 'The account cannot be opened');
  return [{ type: 'AccountOpened', data: { ...data, openedAt: at } }];
}

function finishOnboarding({ data, at }: FinishOnboarding, state: AccountState): AccountEvent[] {
  const { accountId, onboarding } = ownAccount(data.accountId, state);
  return onboarding ? [{ type: 'OnboardingFinished', data: { accountId, finishedAt: at } }] : [];
}

function renameAccount({ data, at }: RenameAccount, state: AccountState): AccountEvent[] {
  const { firstName, lastName } = ownAccount(data.accountId, state);
  if (data.firstName === firstName && data.lastName === lastName) return [];
  // A name that stays is not judged: an account may be opened with a shorter one than a change may give.
  assertSound(
    personNameProblems({
      ...(data.firstName === firstName ? {} : { firstName: data.firstName }),
      ...(data.lastName === lastName ? {} : { lastName: data.lastName }),
    }),
  );
  return [{ type: 'AccountRenamed', data: { ...data, renamedAt: at } }];
}

function changeAccountEmail({ data, at }: ChangeAccountEmail, state: AccountState): AccountEvent[] {
  const { email } = ownAccount(data.accountId, state);
  assertSound(emailProblem(data.email));
  return data.email === email ? [] : [{ type: 'AccountEmailChanged', data: { ...data, changedAt: at } }];
}

function awaitEmailConfirmation({ data, at }: AwaitEmailConfirmation, state: AccountState): AccountEvent[] {
  const { accountId, emailConfirmation } = ownAccount(data.accountId, state);
  if (emailConfirmation !== 'not-asked') return [];
  return [{ type: 'EmailConfirmationAwaited', data: { accountId, awaitedAt: at } }];
}

function confirmAccountEmail({ data, at }: ConfirmAccountEmail, state: AccountState): AccountEvent[] {
  const { accountId, email, emailConfirmation } = ownAccount(data.accountId, state);
  if (email !== data.email) throw new ConflictError('This account has another email address now');
  if (emailConfirmation !== 'awaited') return [];
  return [{ type: 'AccountEmailConfirmed', data: { accountId, confirmedAt: at } }];
}

function changeAccountPhone({ data, at }: ChangeAccountPhone, state: AccountState): AccountEvent[] {
  const { phone } = ownAccount(data.accountId, state);
  assertSound(phoneProblem(data.phone));
  return data.phone === phone ? [] : [{ type: 'AccountPhoneChanged', data: { ...data, changedAt: at } }];
}

function changeNotifications({ data, at }: ChangeNotifications, state: AccountState): AccountEvent[] {
  const { accountId, notifications: before } = ownAccount(data.accountId, state);
  const notifications = { ...before, ...data.notifications };
  if (notificationNames.every((name) => notifications[name] === before[name])) return [];
  return [{ type: 'NotificationsChanged', data: { accountId, notifications, changedAt: at } }];
}

function eraseAccount({ data, at }: EraseAccount, state: AccountState): AccountEvent[] {
  const { isErased } = knownAccount(data.accountId, state);
  return isErased ? [] : [{ type: 'AccountErased', data: { ...data, erasedAt: at } }];
}

function ownAccount(accountId: string, state: AccountState): NonNullable<AccountState> {
  const account = knownAccount(accountId, state);
  if (account.isErased) throw new ConflictError(accountErasedMessage);
  return account;
}

function knownAccount(accountId: string, state: AccountState): NonNullable<AccountState> {
  if (state === null || state.accountId !== accountId) throw new NotFoundError('Account not found');
  return state;
}

function problemsOf({ email, phone, firstName, lastName }: OpenAccount['data']): Record<string, string> {
  return {
    ...emailProblem(email),
    ...phoneProblem(phone),
    ...(firstName.trim() ? {} : { firstName: 'First name is required' }),
    ...(lastName.trim() ? {} : { lastName: 'Last name is required' }),
  };
}

function emailProblem(email: string): Record<string, string> {
  return isEmail(email) && email === normaliseEmail(email) ? {} : { email: emailMessage };
}

function phoneProblem(phone: string): Record<string, string> {
  return isStoredPhone(phone) ? {} : { phone: phoneMessage };
}

/** `email` as `normaliseEmail` writes it, `phone` in E.164. */
type OpenAccount = Command<'OpenAccount', Omit<AccountEvent<'AccountOpened'>['data'], 'openedAt'>>;
type FinishOnboarding = Command<'FinishOnboarding', { accountId: string }>;

export type RenameAccount = Command<
  'RenameAccount',
  Omit<AccountEvent<'AccountRenamed'>['data'], 'renamedAt'>
>;
type ChangeAccountEmail = Command<
  'ChangeAccountEmail',
  Omit<AccountEvent<'AccountEmailChanged'>['data'], 'changedAt'>
>;
type ChangeAccountPhone = Command<
  'ChangeAccountPhone',
  Omit<AccountEvent<'AccountPhoneChanged'>['data'], 'changedAt'>
>;

/** A link goes to the address that the account was opened with; once. */
type AwaitEmailConfirmation = Command<'AwaitEmailConfirmation', { accountId: string }>;
/** `email` is the address that the link went to. */
type ConfirmAccountEmail = Command<'ConfirmAccountEmail', { accountId: string; email: string }>;

/** Forgets the person. */
type EraseAccount = Command<'EraseAccount', { accountId: string; erasureId: string }>;

/** The toggles that are not named stay as they are. */
type ChangeNotifications = Command<
  'ChangeNotifications',
  { accountId: string; notifications: Partial<Notifications> }
>;

export type AccountCommand =
  | OpenAccount
  | FinishOnboarding
  | RenameAccount
  | ChangeAccountEmail
  | ChangeAccountPhone
  | AwaitEmailConfirmation
  | ConfirmAccountEmail
  | ChangeNotifications
  | EraseAccount;
