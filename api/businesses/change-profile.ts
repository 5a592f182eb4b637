import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { accountDecider } from '#core/account/decider.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { comparePositions, type Position } from '#core/event-store/port.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { InvalidInputError, NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Region } from '#core/values/region.ts';
import { changeBusiness } from './change-business.ts';
import {
  accountCommands,
  businessCommands,
  newNumber,
  type ProfileBefore,
  type ProfileChange,
} from './profile-commands.ts';

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
