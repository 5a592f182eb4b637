import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { BusinessState } from '#core/business/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { type Batch, batchDecider } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** What a change of a business is awaited in before it is answered. */
export const BUSINESS_READ_MODELS = ['accounts', 'public-form'];

export type ChangedBusiness = Readonly<{ business: NonNullable<BusinessState>; position: Position }>;

/**
 * Several changes of the signed-in tradie's own business, in order and together. Answers the business folded from the
 * stream just written. Throws what its decider throws.
 */
export async function changeBusiness(
  deps: Pick<Deps, 'store' | 'newId'>,
  { accountId, businessId }: Session,
  commands: readonly BusinessCommand[],
  { at, correlation }: Readonly<{ at: string; correlation: string }>,
): Promise<ChangedBusiness> {
  const command: Batch<BusinessCommand> = { type: 'Batch', at, data: { commands } };
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  const stream = streamName('business', businessId);
  const { state, position } = await handleCommand(
    deps.store,
    batchDecider(businessDecider),
    stream,
    command,
    cause,
  );
  if (state === null) throw new NotFoundError('Business not found');
  return { business: state, position };
}

/** Waits until what was written is what is read; marks the answer `x-read-model: behind` when that takes too long. */
export async function awaitReadModels(
  { readSide }: Pick<Deps, 'readSide'>,
  names: readonly string[],
  position: Position,
  set: { headers: Record<string, string | number> },
): Promise<void> {
  if ((await readSide.waitFor(names, position)) === 'behind') set.headers['x-read-model'] = 'behind';
}
