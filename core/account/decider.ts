import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/email.ts';
import { parsePhone, phoneMessage } from '#core/values/phone.ts';
import type { AccountCommand, FinishOnboarding, OpenAccount } from './commands.ts';
import type { AccountEvent } from './events.ts';
import { type AccountState, evolveAccount } from './state.ts';

/** Who can sign in for a business. That email and phone are nobody else's is claimed before the append. */
export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent> = {
  decide: decideAccount,
  evolve: evolveAccount,
  initialState: null,
};

function decideAccount(command: AccountCommand, state: AccountState): AccountEvent[] {
  switch (command.type) {
    case 'OpenAccount':
      return openAccount(command, state);
    case 'FinishOnboarding':
      return finishOnboarding(command, state);
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
  const fields = problemsOf(data);
  if (Object.keys(fields).length > 0) throw new InvalidInputError('The account cannot be opened', fields);
  return [{ type: 'AccountOpened', data: { ...data, openedAt: at } }];
}

function finishOnboarding({ data, at }: FinishOnboarding, state: AccountState): AccountEvent[] {
  if (state === null || state.accountId !== data.accountId) throw new NotFoundError('Account not found');
  if (!state.onboarding) return [];
  return [{ type: 'OnboardingFinished', data: { accountId: state.accountId, finishedAt: at } }];
}

function problemsOf({ email, phone, firstName, lastName }: OpenAccount['data']): Record<string, string> {
  return {
    ...(isEmail(email) && email === normaliseEmail(email) ? {} : { email: emailMessage }),
    ...(parsePhone(phone) === phone ? {} : { phone: phoneMessage }),
    ...(firstName.trim() ? {} : { firstName: 'First name is required' }),
    ...(lastName.trim() ? {} : { lastName: 'Last name is required' }),
  };
}
