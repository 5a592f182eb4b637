import type { Event } from '#core/kernel/event.ts';

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

export type AccountEvent = AccountOpened | OnboardingFinished;
