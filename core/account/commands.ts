import type { Command } from '#core/kernel/decider.ts';
import type { Notifications } from '#core/values/notifications.ts';
import type { AccountEvent } from './events.ts';

/** `email` as `normaliseEmail` writes it, `phone` in E.164. */
export type OpenAccount = Command<'OpenAccount', Omit<AccountEvent<'AccountOpened'>['data'], 'openedAt'>>;
export type FinishOnboarding = Command<'FinishOnboarding', { accountId: string }>;

export type RenameAccount = Command<
  'RenameAccount',
  Omit<AccountEvent<'AccountRenamed'>['data'], 'renamedAt'>
>;
export type ChangeAccountEmail = Command<
  'ChangeAccountEmail',
  Omit<AccountEvent<'AccountEmailChanged'>['data'], 'changedAt'>
>;
export type ChangeAccountPhone = Command<
  'ChangeAccountPhone',
  Omit<AccountEvent<'AccountPhoneChanged'>['data'], 'changedAt'>
>;

/** A link goes to the address that the account was opened with; once. */
export type AwaitEmailConfirmation = Command<'AwaitEmailConfirmation', { accountId: string }>;
/** `email` is the address that the link went to. */
export type ConfirmAccountEmail = Command<'ConfirmAccountEmail', { accountId: string; email: string }>;

/** Forgets the person. */
export type EraseAccount = Command<'EraseAccount', { accountId: string; erasureId: string }>;

/** The toggles that are not named stay as they are. */
export type ChangeNotifications = Command<
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
