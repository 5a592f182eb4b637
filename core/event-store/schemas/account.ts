import { type } from 'arktype';
import type { AccountEvent, AccountOpened, OnboardingFinished } from '#core/account/events.ts';
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

/** An account's events. Who signs in is personal, and the account's own. */
export const accountEvents = {
  AccountOpened: [
    {
      schema: AccountOpened1,
      personal: {
        subject: ({ accountId }) => `account-${accountId}`,
        erased: { email: ERASED, phone: ERASED, firstName: ERASED, lastName: ERASED },
      },
    },
  ],
  OnboardingFinished: [{ schema: OnboardingFinished1 }],
} as const satisfies { [T in AccountEvent['type']]: EventVersions<Extract<AccountEvent, { type: T }>> };
