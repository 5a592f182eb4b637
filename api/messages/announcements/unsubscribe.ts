import { loadAccount } from '#api/accounts/load-account.ts';
import { changeNotifications } from '#api/businesses/notifications.ts';
import type { Deps } from '#api/deps.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { subscriptions } from './announcement-kinds.ts';
import { readUnsubscribeToken, type Unsubscribing } from './unsubscribe-link.ts';

/** What the page behind a link to unsubscribe shows: of whom, it does not say. */
export type UnsubscribePage = Readonly<{
  /** What it is about, as it reads in a sentence: `the newsletter`. */
  what: string;
  state: 'on' | 'off';
}>;

/** Whose link it is. Throws NotFoundError for a token that is not ours. */
export function openUnsubscribing({ config }: Pick<Deps, 'config'>, token: string): Unsubscribing {
  const whose = readUnsubscribeToken(config, token);
  if (whose === null) throw new NotFoundError('Link not found');
  return whose;
}

/** How things stand behind a link. Changes nothing, however often it is read. Throws NotFoundError for a link that is none. */
export async function readUnsubscribePage(
  deps: Pick<Deps, 'config' | 'store'>,
  token: string,
): Promise<UnsubscribePage> {
  const { accountId, kind } = openUnsubscribing(deps, token);
  const { account } = await loadAccount(deps, accountId);
  const { name: what, toggle } = subscriptions[kind];
  return { what, state: account.notifications[toggle] ? 'on' : 'off' };
}

/** Turns off what a link is about, as its owner would: once, however often it is sent. Throws NotFoundError as above. */
export async function unsubscribe(
  deps: Pick<Deps, 'config' | 'store' | 'now' | 'newId'>,
  token: string,
  correlation: string,
): Promise<UnsubscribePage> {
  const { accountId, kind } = openUnsubscribing(deps, token);
  const { name: what, toggle } = subscriptions[kind];
  await changeNotifications(deps, { accountId }, { [toggle]: false }, correlation);
  return { what, state: 'off' };
}
