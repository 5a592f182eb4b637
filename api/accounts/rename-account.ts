import { accountDecider } from '#core/account/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { personNameProblems } from '#core/values/person-name.ts';
import { singleLine } from '#core/values/text.ts';
import type { Deps } from '../deps.ts';
import { invalid } from '../http/http-errors.ts';
import type { Session } from '../http/request-context.ts';
import { loadAccount } from './load-account.ts';

export type Names = Readonly<{ firstName?: string; lastName?: string }>;

/** Throws 422 with the fields that break a rule; a name that is absent stays and breaks none. */
export function assertNames(names: Names): void {
  const fields = personNameProblems(names);
  if (Object.keys(fields).length > 0) throw invalid(fields);
}

/** Another name for the signed-in person. A name that is absent stays. Throws 422 with fields. */
export async function renameAccount(
  deps: Pick<Deps, 'store' | 'now' | 'newId'>,
  { accountId }: Pick<Session, 'accountId'>,
  names: Names,
  correlation: string,
): Promise<Position> {
  assertNames(names);
  const { account } = await loadAccount(deps, accountId);
  const firstName = singleLine(names.firstName ?? account.firstName);
  const lastName = singleLine(names.lastName ?? account.lastName);
  const at = deps.now().toISOString();
  const command = { type: 'RenameAccount', at, data: { accountId, firstName, lastName } } as const;
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  const stream = streamName('account', accountId);
  return (await handleCommand(deps.store, accountDecider, stream, command, cause)).position;
}
