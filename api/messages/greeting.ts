import { type AccountState, isEmailTrusted } from '#core/account/state.ts';

/** Before what a mail says to an account's owner; without the name, which was typed, until a link came back from the address. */
export function greeted(account: NonNullable<AccountState>, sentence: string): string {
  if (isEmailTrusted(account)) return `Hello ${account.firstName}, ${sentence}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
