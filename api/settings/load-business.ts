import type { Deps } from '#api/deps.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { BusinessEvent } from '#core/business/events.ts';
import type { BusinessState } from '#core/business/state.ts';
import { UnreadableEventError } from '#core/event-store/errors.ts';
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
  const events = recorded.map(({ event, stream, revision, unreadable }) => {
    if (!event) throw new UnreadableEventError(stream, revision, unreadable ?? 'unknown');
    return event as BusinessEvent;
  });
  return fold(businessDecider, events);
}
