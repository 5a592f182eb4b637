import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { accountDecider, type RenameAccount } from '#core/account/decider.ts';
import type { AccountState } from '#core/account/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { singleLine } from '#core/values/text.ts';
import { loadAccount } from './load-account.ts';

type Names = Readonly<{ firstName?: string; lastName?: string }>;

type RenameDeps = Pick<Deps, 'store' | 'now' | 'newId'>;

/** Throws 422 with the fields that break a rule. A name that is absent, or the one that is stored, breaks none. */
export async function assertNames(
  deps: RenameDeps,
  { accountId }: Pick<Session, 'accountId'>,
  names: Names,
): Promise<void> {
  const { account } = await loadAccount(deps, accountId);
  accountDecider.decide(renaming(account, names, deps.now()), account);
}

/** Another name for the signed-in person. A name that is absent stays. Throws 422 with fields. */
export async function renameAccount(
  deps: RenameDeps,
  { accountId }: Pick<Session, 'accountId'>,
  names: Names,
  correlation: string,
): Promise<Position> {
  const { account } = await loadAccount(deps, accountId);
  const command = renaming(account, names, deps.now());
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  const stream = streamName('account', accountId);
  return (await handleCommand(deps.store, accountDecider, stream, command, cause)).position;
}

function renaming(account: NonNullable<AccountState>, names: Names, now: Date): RenameAccount {
  const nameAfter = (typed: string | undefined, stored: string) =>
    typed === undefined || typed === stored ? stored : singleLine(typed);
  return {
    type: 'RenameAccount',
    at: now.toISOString(),
    data: {
      accountId: account.accountId,
      firstName: nameAfter(names.firstName, account.firstName),
      lastName: nameAfter(names.lastName, account.lastName),
    },
  };
}
