import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { type AccountCommand, accountDecider } from '#core/account/decider.ts';
import type { AccountState } from '#core/account/state.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { BusinessState } from '#core/business/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { comparePositions, type Position } from '#core/event-store/port.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { normaliseBusinessNumber } from '#core/values/business.ts';
import type { Region } from '#core/values/region.ts';
import { singleLine } from '#core/values/text.ts';
import { type ChangedBusiness, changeBusiness } from './change-business.ts';

export type ChangedProfile = ProfileBefore & Readonly<{ position: Position }>;

/** `registeredName` asks the register for the name behind a number, and throws 422 where there is none, 503 while it is unavailable. */
type ProfileDeps = Pick<Deps, 'store' | 'now' | 'newId'> &
  Readonly<{ registeredName(bn: string, region: Region): Promise<string> }>;

/**
 * Changes what the profile says of the signed-in person and their business. They are two streams: all of it is judged
 * before anything is written, so that what one refuses changes nothing in the other. Throws InvalidInputError with every
 * field that is wrong.
 */
export async function changeProfile(
  deps: ProfileDeps,
  session: Session,
  change: ProfileChange,
  correlation: string,
): Promise<ChangedProfile> {
  const at = deps.now().toISOString();
  const before = await loadProfile(deps, session);
  const onAccount = accountCommands(change, before, at);
  judge([
    ...businessCommands(change, before, at).map((one) => () => businessDecider.decide(one, before.business)),
    ...onAccount.map((one) => () => accountDecider.decide(one, before.account)),
  ]);
  const number = newNumber(change, before);
  const name = number === null ? undefined : await deps.registeredName(number, before.business.region);
  const onBusiness = businessCommands(change, before, at, name);
  const { business, position } = await changeBusiness(deps, session, onBusiness, { at, correlation });
  const named = await handleCommand(
    deps.store,
    batchDecider(accountDecider),
    streamName('account', session.accountId),
    { type: 'Batch', at, data: { commands: onAccount } },
    { commandId: deps.newId(), actor: `account:${session.accountId}`, correlation },
  );
  return { business, account: named.state ?? before.account, position: later(position, named.position) };
}

/** Changes the text under "About us" of the signed-in tradie's business. Throws what its decider throws. */
export function introduceBusiness(
  deps: Pick<Deps, 'store' | 'now' | 'newId'>,
  session: Session,
  intro: string,
  correlation: string,
): Promise<ChangedBusiness> {
  const at = deps.now().toISOString();
  const data = { businessId: session.businessId, intro };
  return changeBusiness(deps, session, [{ type: 'IntroduceBusiness', at, data }], { at, correlation });
}

async function loadProfile(deps: ProfileDeps, { accountId, businessId }: Session): Promise<ProfileBefore> {
  const { account } = await loadAccount(deps, accountId);
  const business = await loadBusiness(deps, businessId);
  if (business === null) throw new NotFoundError('Business not found');
  return { account, business };
}

/** Throws what they throw, but gathers the fields of all that are merely wrong. */
function judge(decisions: readonly (() => unknown)[]): void {
  const fields: Record<string, string> = {};
  let message: string | undefined;
  for (const decide of decisions) {
    try {
      decide();
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      message ??= error.message;
      Object.assign(fields, fieldsOf(error));
    }
  }
  if (message !== undefined) throw new InvalidInputError(message, fields);
}

/** The fields as the request names them: number and names of the business lie in its `bn`. */
function fieldsOf({ fields }: InvalidInputError): Record<string, string> {
  const nested = ['bn', 'name', 'tradingName'];
  return Object.fromEntries(
    Object.entries(fields).map(([field, text]) => [nested.includes(field) ? `bn.${field}` : field, text]),
  );
}

function later(a: Position, b: Position): Position {
  return comparePositions(a, b) > 0 ? a : b;
}

/**
 * What is left out stays as it is. `bn.tradingName` is what the form calls the business name. The registered name is not the
 * browser's to say: it comes with the number, from the register.
 */
type ProfileChange = Readonly<{
  bn?: Readonly<{ bn?: string; tradingName?: string }>;
  firstName?: string;
  lastName?: string;
  intro?: string;
  onboarding?: false;
}>;

/** Whose profile it is, as it was: never null, as a session belongs to an account. */
type ProfileBefore = Readonly<{
  account: NonNullable<AccountState>;
  business: NonNullable<BusinessState>;
}>;

/** The business number that a change names, where it is another than the business has; else null. */
function newNumber({ bn }: ProfileChange, { business }: ProfileBefore): string | null {
  const number = bn?.bn === undefined ? business.bn : normaliseBusinessNumber(bn.bn);
  return number === business.bn ? null : number;
}

/**
 * What a change asks of the business, `name` being the one in the register. A name that stays as it was is not judged anew:
 * rules may have come since.
 */
function businessCommands(
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
function accountCommands(change: ProfileChange, { account }: ProfileBefore, at: string): AccountCommand[] {
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
