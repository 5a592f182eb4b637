import type { Event } from '#core/kernel/event.ts';
import type { Notifications } from '#core/values/notifications.ts';

/** A tradie can sign in from now on. The password's hash lives in `state.credentials`, never in an event. */
export type AccountOpened = Event<
  'AccountOpened',
  {
    accountId: string;
    businessId: string;
    email: string;
    phone: string;
    firstName: string;
    lastName: string;
    openedAt: string;
  }
>;

/** 'Let's Go' was pressed: the welcome screen is not shown again, on any device. */
export type OnboardingFinished = Event<'OnboardingFinished', { accountId: string; finishedAt: string }>;

/** The person goes by another name. */
export type AccountRenamed = Event<
  'AccountRenamed',
  { accountId: string; firstName: string; lastName: string; renamedAt: string }
>;

/** Sign-in and mail go to another address from now on: its owner has confirmed it. */
export type AccountEmailChanged = Event<
  'AccountEmailChanged',
  { accountId: string; email: string; changedAt: string }
>;

/** The address was typed and is not confirmed: a link is sent to it. */
export type EmailConfirmationAwaited = Event<
  'EmailConfirmationAwaited',
  { accountId: string; awaitedAt: string }
>;

/** The link in the welcome mail was pressed: the address is the account holder's. */
export type AccountEmailConfirmed = Event<
  'AccountEmailConfirmed',
  { accountId: string; confirmedAt: string }
>;

/** Messages go to another mobile from now on: its owner has confirmed it. E.164. */
export type AccountPhoneChanged = Event<
  'AccountPhoneChanged',
  { accountId: string; phone: string; changedAt: string }
>;

/** All the toggles, as they are from now on. */
export type NotificationsChanged = Event<
  'NotificationsChanged',
  { accountId: string; notifications: Notifications; changedAt: string }
>;

export type AccountEvent =
  | AccountOpened
  | OnboardingFinished
  | AccountRenamed
  | AccountEmailChanged
  | EmailConfirmationAwaited
  | AccountEmailConfirmed
  | AccountPhoneChanged
  | NotificationsChanged;
