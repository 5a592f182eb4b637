import { type } from 'arktype';
import type {
  AccountEmailChanged,
  AccountEmailConfirmed,
  AccountEvent,
  AccountOpened,
  AccountPhoneChanged,
  AccountRenamed,
  EmailConfirmationAwaited,
  NotificationsChanged,
  OnboardingFinished,
} from '#core/account/events.ts';
import { ERASED, type EventVersions, id, instant, type Plain } from './event-version.ts';

const AccountOpened1 = type
  .declare<Plain<AccountOpened['data']>>()
  .type({
    accountId: id,
    businessId: id,
    email: 'string',
    phone: 'string',
    firstName: 'string',
    lastName: 'string',
    openedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const OnboardingFinished1 = type
  .declare<Plain<OnboardingFinished['data']>>()
  .type({ accountId: id, finishedAt: instant })
  .onDeepUndeclaredKey('reject');

const AccountRenamed1 = type
  .declare<Plain<AccountRenamed['data']>>()
  .type({ accountId: id, firstName: 'string', lastName: 'string', renamedAt: instant })
  .onDeepUndeclaredKey('reject');

const AccountEmailChanged1 = type
  .declare<Plain<AccountEmailChanged['data']>>()
  .type({ accountId: id, email: 'string', changedAt: instant })
  .onDeepUndeclaredKey('reject');

const EmailConfirmationAwaited1 = type
  .declare<Plain<EmailConfirmationAwaited['data']>>()
  .type({ accountId: id, awaitedAt: instant })
  .onDeepUndeclaredKey('reject');

const AccountEmailConfirmed1 = type
  .declare<Plain<AccountEmailConfirmed['data']>>()
  .type({ accountId: id, confirmedAt: instant })
  .onDeepUndeclaredKey('reject');

const AccountPhoneChanged1 = type
  .declare<Plain<AccountPhoneChanged['data']>>()
  .type({ accountId: id, phone: 'string', changedAt: instant })
  .onDeepUndeclaredKey('reject');

const NotificationsChanged1 = type
  .declare<Plain<NotificationsChanged['data']>>()
  .type({
    accountId: id,
    notifications: {
      jobEnquiries: 'boolean',
      simpleContacts: 'boolean',
      email: 'boolean',
      sms: 'boolean',
      productUpdates: 'boolean',
      newsletter: 'boolean',
    },
    changedAt: instant,
  })
  .onDeepUndeclaredKey('reject');

const account = (data: { accountId: string }) => `account-${data.accountId}`;

/** An account's events. Who signs in is personal, and the account's own. */
export const accountEvents = {
  AccountOpened: [
    {
      schema: AccountOpened1,
      personal: {
        subject: account,
        erased: { email: ERASED, phone: ERASED, firstName: ERASED, lastName: ERASED },
      },
    },
  ],
  OnboardingFinished: [{ schema: OnboardingFinished1 }],
  AccountRenamed: [
    {
      schema: AccountRenamed1,
      personal: { subject: account, erased: { firstName: ERASED, lastName: ERASED } },
    },
  ],
  AccountEmailChanged: [
    { schema: AccountEmailChanged1, personal: { subject: account, erased: { email: ERASED } } },
  ],
  AccountPhoneChanged: [
    { schema: AccountPhoneChanged1, personal: { subject: account, erased: { phone: ERASED } } },
  ],
  EmailConfirmationAwaited: [{ schema: EmailConfirmationAwaited1 }],
  AccountEmailConfirmed: [{ schema: AccountEmailConfirmed1 }],
  NotificationsChanged: [{ schema: NotificationsChanged1 }],
} as const satisfies { [T in AccountEvent['type']]: EventVersions<Extract<AccountEvent, { type: T }>> };
