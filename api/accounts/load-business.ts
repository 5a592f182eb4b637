import type { Deps } from '#api/deps.ts';
import { businessDecider } from '#core/business/decider.ts';
import { isBusinessEvent } from '#core/business/events.ts';
import type { BusinessState } from '#core/business/state.ts';
import { readableEvents } from '#core/event-store/typed-events.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';

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
