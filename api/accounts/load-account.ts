import type { Deps } from '#api/deps.ts';
import { accountDecider } from '#core/account/decider.ts';
import { type AccountEvent, isAccountEvent } from '#core/account/events.ts';
import type { AccountState } from '#core/account/state.ts';
import { businessDecider } from '#core/business/decider.ts';
import { isBusinessEvent } from '#core/business/events.ts';
import type { BusinessState } from '#core/business/state.ts';
import { readableEvents, typedEvents } from '#core/event-store/codec.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { fold } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';

export type Account = NonNullable<AccountState>;
export type LoadedAccount = Readonly<{ account: Account; revision: number }>;

/** An account from its own stream: never behind. Throws NotFoundError for one that was never opened. */
export async function loadAccount(deps: Pick<Deps, 'store'>, accountId: string): Promise<LoadedAccount> {
  const recorded = await readAccount(deps, accountId);
  const account = foldAccount(recorded);
  if (!account) throw new NotFoundError('Account not found');
  return { account, revision: recorded.at(-1)?.revision ?? -1 };
}

/** The events of an account. Throws UnreadableEventError rather than answer half of them. */
export async function readAccount(
  { store }: Pick<Deps, 'store'>,
  accountId: string,
): Promise<RecordedEvent<AccountEvent>[]> {
  const recorded = await store.readStream(streamName('account', accountId));
  readableEvents(isAccountEvent, recorded);
  return typedEvents(isAccountEvent, recorded);
}

/** The account after these of its events. */
export function foldAccount(recorded: readonly RecordedEvent<AccountEvent>[]): AccountState {
  return fold(
    accountDecider,
    recorded.flatMap(({ event }) => (event ? [event] : [])),
  );
}

/**
 * A business from its own stream, never behind; null for one that never was. Throws UnreadableEventError rather than
 * answer half of it.
 */
export async function loadBusiness(
  { store }: Pick<Deps, 'store'>,
  businessId: string,
): Promise<BusinessState> {
  const recorded = await store.readStream(streamName('business', businessId));
  return fold(businessDecider, readableEvents(isBusinessEvent, recorded));
}
