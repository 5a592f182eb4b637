import type { Deps } from '#api/deps.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { BusinessEvent } from '#core/business/events.ts';
import type { BusinessState } from '#core/business/state.ts';
import { fold } from '#core/kernel/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** A business from its own stream, never behind; null for one that never was. What cannot be read of it is left out. */
export async function loadBusiness(
  { store }: Pick<Deps, 'store'>,
  businessId: string,
): Promise<BusinessState> {
  const events = await store.readStream(streamName('business', businessId));
  return fold(
    businessDecider,
    events.flatMap(({ event }) => (event ? [event as BusinessEvent] : [])),
  );
}
