import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { type AccountCommand, accountDecider } from '#core/account/decider.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import type { ErasureState } from '#core/erasure/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { Command, Decider } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import type { Event } from '#core/kernel/event.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import type { Erased } from './places.ts';

type Requested = Pick<NonNullable<ErasureState>, 'scope' | 'businessId' | 'ids'>;

/**
 * What an erasure is about, by what stands in the tables. A business has one account, and an account one business: whichever of them
 * is named, both go, with the jobs. No account could answer for them any more.
 */
export async function erasedBy(
  deps: Pick<Deps, 'store'>,
  { scope, businessId, ids }: Requested,
): Promise<Erased> {
  const none = { jobIds: [], demoIds: [] };
  if (scope === 'jobs') return { ...none, jobIds: ids };
  if (scope === 'demo') return { ...none, demoIds: ids };
  if (scope === 'account') return { ...none, accountIds: ids, businessIds: businessId ? [businessId] : [] };
  const accountIds: string[] = [];
  for (const id of ids) {
    const business = await loadBusiness(deps, id);
    if (business) accountIds.push(business.accountId);
  }
  return { ...none, accountIds, businessIds: ids };
}

/** The subjects whose keys open it; of a business, those of its customers are found page by page. */
export function subjectsOf({ jobIds, demoIds, accountIds = [], businessIds = [] }: Erased): string[] {
  return [
    ...jobIds.map((id) => `customer-${id}`),
    ...demoIds.map((id) => `demo-${id}`),
    ...accountIds.map((id) => `account-${id}`),
    ...businessIds.map((id) => `business-${id}`),
  ];
}

type Planned = Requested & Pick<NonNullable<ErasureState>, 'erasureId' | 'dueAt' | 'requestedAt'>;

/** Says on the business of an account or a business when it is to be closed. */
export async function planClosing(
  deps: Pick<Deps, 'store'>,
  { erasureId, dueAt, requestedAt, ...about }: Planned,
  actor: string,
): Promise<void> {
  for (const businessId of businessesOf(about)) {
    const data = { businessId, erasureId, dueAt };
    await giveBusiness(deps, { type: 'PlanBusinessClosure', at: requestedAt, data }, actor);
  }
}

/** Takes that back. */
export async function releaseClosing(
  deps: Pick<Deps, 'store' | 'now'>,
  { erasureId, ...about }: Requested & Readonly<{ erasureId: string }>,
  actor: string,
): Promise<void> {
  const at = deps.now().toISOString();
  for (const businessId of businessesOf(about))
    await giveBusiness(deps, { type: 'CancelBusinessClosure', at, data: { businessId, erasureId } }, actor);
}

/**
 * The events by which every reader blanks what it shows of businesses and accounts; answers where the last of them stands. The same again
 * changes nothing, and what the log does not have is passed over: a restored one may be from before.
 */
export async function closeAll(
  deps: Pick<Deps, 'store' | 'now'>,
  erasureId: string,
  { accountIds = [], businessIds = [] }: Erased,
): Promise<Position> {
  const at = deps.now().toISOString();
  let last: Position = START;
  const reach = (position: Position | null) => {
    if (position !== null && comparePositions(position, last) > 0) last = position;
  };
  for (const businessId of businessIds) {
    const data = { businessId, erasureId };
    reach(await giveBusiness(deps, { type: 'CloseBusiness', at, data }));
    const close = { type: 'CloseEnquiryForm', at, data } as const;
    reach(await give(deps, enquiryFormDecider, streamName('enquiryForm', businessId), close));
  }
  for (const accountId of accountIds) {
    const erase: AccountCommand = { type: 'EraseAccount', at, data: { accountId, erasureId } };
    reach(await give(deps, accountDecider, streamName('account', accountId), erase));
  }
  return last;
}

function businessesOf({ scope, businessId, ids }: Requested): readonly string[] {
  if (scope === 'business') return ids;
  return scope === 'account' && businessId !== null ? [businessId] : [];
}

function giveBusiness(
  deps: Pick<Deps, 'store'>,
  command: BusinessCommand & Readonly<{ data: Readonly<{ businessId: string }> }>,
  actor?: string,
): Promise<Position | null> {
  return give(deps, businessDecider, streamName('business', command.data.businessId), command, actor);
}

async function give<State, C extends Command, E extends Event>(
  { store }: Pick<Deps, 'store'>,
  decider: Decider<State, C, E>,
  stream: StreamName,
  command: C,
  actor = 'system',
): Promise<Position | null> {
  const { erasureId } = command.data as Readonly<{ erasureId?: string }>;
  const cause = {
    commandId: uuidV5(NAMESPACE, `${erasureId}/${stream}/${command.type}`),
    ...{ actor, correlation: `erasure-${erasureId}` },
  };
  try {
    return (await handleCommand(store, decider, stream, command, cause)).position;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

const NAMESPACE = '6b1f0c57-2f64-5d0b-9b07-8c3a54a1d9e2';
