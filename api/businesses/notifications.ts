import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { accountDecider } from '#core/account/decider.ts';
import { isAccountEvent } from '#core/account/events.ts';
import type { AccountState } from '#core/account/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { typedEvents } from '#core/event-store/typed-events.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Notifications } from '#core/values/notifications.ts';

/** What an account wants to be notified of, from its own stream: never behind. Throws NotFoundError for an unknown account. */
export async function notificationsOf(
  { store }: Pick<Deps, 'store'>,
  accountId: string,
): Promise<Notifications> {
  const events = typedEvents(isAccountEvent, await store.readStream(streamName('account', accountId)));
  const account = events.reduce<AccountState>(
    (state, { event }) => (event ? accountDecider.evolve(state, event) : state),
    accountDecider.initialState,
  );
  return settingsOf(account);
}

/** Turns what `notifications` names; the rest stays as it is. */
export async function changeNotifications(
  deps: Pick<Deps, 'store' | 'now' | 'newId'>,
  { accountId }: Pick<Session, 'accountId'>,
  notifications: Partial<Notifications>,
  correlation: string,
): Promise<Notifications> {
  const command = {
    type: 'ChangeNotifications',
    at: deps.now().toISOString(),
    data: { accountId, notifications },
  } as const;
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  const stream = streamName('account', accountId);
  const { state } = await handleCommand(deps.store, accountDecider, stream, command, cause);
  return settingsOf(state);
}

function settingsOf(account: AccountState): Notifications {
  if (account === null) throw new NotFoundError('Account not found');
  return account.notifications;
}
