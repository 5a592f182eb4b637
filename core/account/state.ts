import type { AccountEvent } from './events.ts';

/** Somebody who can sign in; null before the account is opened. `onboarding` until the welcome screen is left. */
export type AccountState = Readonly<{
  accountId: string;
  businessId: string;
  email: string;
  phone: string;
  firstName: string;
  lastName: string;
  onboarding: boolean;
}> | null;

/** The account after one more fact. */
export function evolveAccount(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountOpened': {
      const { openedAt: _, ...account } = event.data;
      return state ?? { ...account, onboarding: true };
    }
    case 'OnboardingFinished':
      return state && { ...state, onboarding: false };
    default:
      return state;
  }
}
