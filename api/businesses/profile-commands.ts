import type { AccountCommand } from '#core/account/commands.ts';
import type { AccountState } from '#core/account/state.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import type { BusinessState } from '#core/business/state.ts';
import { normaliseBusinessNumber } from '#core/values/business.ts';
import { singleLine } from '#core/values/text.ts';

/**
 * What is left out stays as it is. `bn.tradingName` is what the form calls the business name. The registered name is not the
 * browser's to say: it comes with the number, from the register.
 */
export type ProfileChange = Readonly<{
  bn?: Readonly<{ bn?: string; tradingName?: string }>;
  firstName?: string;
  lastName?: string;
  intro?: string;
  onboarding?: false;
}>;

/** Whose profile it is, as it was: never null, as a session belongs to an account. */
export type ProfileBefore = Readonly<{
  account: NonNullable<AccountState>;
  business: NonNullable<BusinessState>;
}>;

/** The business number that a change names, where it is another than the business has; else null. */
export function newNumber({ bn }: ProfileChange, { business }: ProfileBefore): string | null {
  const number = bn?.bn === undefined ? business.bn : normaliseBusinessNumber(bn.bn);
  return number === business.bn ? null : number;
}

/**
 * What a change asks of the business, `name` being the one in the register. A name that stays as it was is not judged anew:
 * rules may have come since.
 */
export function businessCommands(
  change: ProfileChange,
  before: ProfileBefore,
  at: string,
  name = before.business.name,
): BusinessCommand[] {
  const { business } = before;
  const { businessId } = business;
  const details = {
    bn: newNumber(change, before) ?? business.bn,
    name,
    tradingName: nameAfter(change.bn?.tradingName, business.tradingName),
  };
  const { intro } = change;
  return [
    ...(differs(details, business)
      ? [{ type: 'ChangeBusinessDetails', at, data: { businessId, ...details } } as const]
      : []),
    ...(intro === undefined ? [] : [{ type: 'IntroduceBusiness', at, data: { businessId, intro } } as const]),
  ];
}

/** What a change asks of the account, under the same rule. */
export function accountCommands(
  change: ProfileChange,
  { account }: ProfileBefore,
  at: string,
): AccountCommand[] {
  const { accountId } = account;
  const names = {
    firstName: nameAfter(change.firstName, account.firstName),
    lastName: nameAfter(change.lastName, account.lastName),
  };
  return [
    ...(differs(names, account)
      ? [{ type: 'RenameAccount', at, data: { accountId, ...names } } as const]
      : []),
    ...(change.onboarding === false ? [{ type: 'FinishOnboarding', at, data: { accountId } } as const] : []),
  ];
}

/** A name as it is stored after a request: the stored one, where the request leaves it out or repeats it. */
function nameAfter(typed: string | undefined, stored: string): string {
  return typed === undefined || typed === stored ? stored : singleLine(typed);
}

function differs(changed: Readonly<Record<string, string>>, before: object): boolean {
  return Object.entries(changed).some(([key, value]) => before[key as keyof typeof before] !== value);
}
