import { defaultNotifications, type Notifications } from '#core/values/account.ts';
import { ERASED } from '#core/values/stored-details.ts';
import type { AccountEvent } from './events.ts';

/** A tradie who can sign in; null before the account is opened. `onboarding` until the welcome screen is left. */
export type AccountState = Readonly<{
  accountId: string;
  businessId: string;
  email: string;
  phone: string;
  firstName: string;
  lastName: string;
  onboarding: boolean;
  /** Whether a link came back from the address; of the demo and of seeds nothing is awaited. */
  emailConfirmation: 'not-asked' | 'awaited' | 'confirmed';
  notifications: Notifications;
  isErased: boolean;
}> | null;

/** The account after one more event. */
export function evolveAccount(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountOpened': {
      const { openedAt: _, ...account } = event.data;
      return (
        state ?? {
          ...account,
          onboarding: true,
          emailConfirmation: 'not-asked',
          notifications: defaultNotifications,
          isErased: false,
        }
      );
    }
    case 'OnboardingFinished':
      return state && { ...state, onboarding: false };
    case 'NotificationsChanged':
      return state && { ...state, notifications: event.data.notifications };
    case 'AccountRenamed': {
      const { firstName, lastName } = event.data;
      return state && { ...state, firstName, lastName };
    }
    case 'AccountEmailChanged':
      return state && { ...state, email: event.data.email, emailConfirmation: 'confirmed' };
    case 'EmailConfirmationAwaited':
      return state && { ...state, emailConfirmation: 'awaited' };
    case 'AccountEmailConfirmed':
      return state && { ...state, emailConfirmation: 'confirmed' };
    case 'AccountPhoneChanged':
      return state && { ...state, phone: event.data.phone };
    case 'AccountErased':
      return state && { ...state, ...erased, isErased: true };
    default:
      return state;
  }
}

const erased = { email: ERASED, phone: ERASED, firstName: ERASED, lastName: ERASED };

/** Whether mail to the account's address may repeat what the account holder and strangers typed. */
export function isEmailTrusted({
  emailConfirmation,
}: Pick<NonNullable<AccountState>, 'emailConfirmation'>): boolean {
  return emailConfirmation !== 'awaited';
}
