import type { AccountCommand } from '#core/account/commands.ts';
import type { AccountState } from '#core/account/state.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import type { BusinessState } from '#core/business/state.ts';
import { normaliseBusinessNumber } from '#core/values/business-number.ts';
import { singleLine } from '#core/values/text.ts';

/** What is left out stays as it is. `bn.tradingName` is what the form calls the business name. */
export type ProfileWish = Readonly<{
  bn?: Readonly<{ bn: string; name: string; tradingName: string }>;
  firstName?: string;
  lastName?: string;
  intro?: string;
  onboarding?: false;
}>;

/** Whose profile it is, as it was: never null, a session is of somebody. */
export type ProfileBefore = Readonly<{
  account: NonNullable<AccountState>;
  business: NonNullable<BusinessState>;
}>;

/** What a wish asks of the business. A name that stays as it was is not judged anew: rules may have come since. */
export function businessCommands(
  { bn, intro }: ProfileWish,
  before: ProfileBefore,
  at: string,
): BusinessCommand[] {
  const { businessId } = before.business;
  const commands: BusinessCommand[] = [];
  if (bn !== undefined) {
    const [name, tradingName] = [singleLine(bn.name), singleLine(bn.tradingName)];
    const details = { bn: normaliseBusinessNumber(bn.bn), name, tradingName };
    if (differs(details, before.business)) {
      commands.push({ type: 'ChangeBusinessDetails', at, data: { businessId, ...details } });
    }
  }
  if (intro !== undefined) commands.push({ type: 'IntroduceBusiness', at, data: { businessId, intro } });
  return commands;
}

/** What a wish asks of the account, under the same rule. */
export function accountCommands(wish: ProfileWish, { account }: ProfileBefore, at: string): AccountCommand[] {
  const { accountId } = account;
  const names = {
    firstName: singleLine(wish.firstName ?? account.firstName),
    lastName: singleLine(wish.lastName ?? account.lastName),
  };
  return [
    ...(differs(names, account)
      ? [{ type: 'RenameAccount', at, data: { accountId, ...names } } as const]
      : []),
    ...(wish.onboarding === false ? [{ type: 'FinishOnboarding', at, data: { accountId } } as const] : []),
  ];
}

function differs(wished: Readonly<Record<string, string>>, before: object): boolean {
  return Object.entries(wished).some(([key, value]) => before[key as keyof typeof before] !== value);
}
