import { type EventOf, event, eventGuard, id, instant } from '#core/kernel/event.ts';
import { ERASED } from '#core/values/stored-details.ts';

const account = (data: { accountId: string }) => `account-${data.accountId}`;

const toggles = {
  jobEnquiries: 'boolean',
  simpleContacts: 'boolean',
  email: 'boolean',
  sms: 'boolean',
  productUpdates: 'boolean',
  newsletter: 'boolean',
  weeklyRecord: 'boolean',
} as const;

/** An account's events. Who signs in is personal, and the account's own. */
export const accountEvents = {
  /** A tradie can sign in from now on. The password's hash lives in `state.credentials`, never in an event. */
  AccountOpened: event(
    {
      accountId: id,
      businessId: id,
      email: 'string',
      phone: 'string',
      firstName: 'string',
      lastName: 'string',
      openedAt: instant,
    },
    {
      personal: {
        subject: account,
        erased: { email: ERASED, phone: ERASED, firstName: ERASED, lastName: ERASED },
      },
    },
  ),

  /** 'Let's Go' was pressed: the welcome screen is not shown again, on any device. */
  OnboardingFinished: event({ accountId: id, finishedAt: instant }),

  /** The person goes by another name. */
  AccountRenamed: event(
    { accountId: id, firstName: 'string', lastName: 'string', renamedAt: instant },
    { personal: { subject: account, erased: { firstName: ERASED, lastName: ERASED } } },
  ),

  /** Sign-in and mail go to another address from now on: its owner has confirmed it. */
  AccountEmailChanged: event(
    { accountId: id, email: 'string', changedAt: instant },
    { personal: { subject: account, erased: { email: ERASED } } },
  ),

  /** Messages go to another mobile from now on: its owner has confirmed it. E.164. */
  AccountPhoneChanged: event(
    { accountId: id, phone: 'string', changedAt: instant },
    { personal: { subject: account, erased: { phone: ERASED } } },
  ),

  /** The address was typed and is not confirmed: a link is sent to it. */
  EmailConfirmationAwaited: event({ accountId: id, awaitedAt: instant }),

  /** The link in the welcome mail was pressed: the address is the account holder's. */
  AccountEmailConfirmed: event({ accountId: id, confirmedAt: instant }),

  /** The person is forgotten: every reader blanks what it shows, also while the key is still there. */
  AccountErased: event({ accountId: id, erasureId: id, erasedAt: instant }),

  /** All the toggles, as they are from now on. */
  NotificationsChanged: event({ accountId: id, notifications: toggles, changedAt: instant }),
};

export type AccountEvent<T extends keyof typeof accountEvents = keyof typeof accountEvents> = EventOf<
  typeof accountEvents,
  T
>;

export const isAccountEvent = eventGuard(accountEvents);
