import { businessDecider } from '#core/business/decider.ts';
import type { BusinessEvent } from '#core/business/events.ts';
import type { BusinessState } from '#core/business/state.ts';
import { fold } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Deps } from '../deps.ts';

export type Business = NonNullable<BusinessState>;

/** A business from its own stream, as far as it can be read: never behind. Throws NotFoundError for an unknown one. */
export async function loadBusiness({ store }: Pick<Deps, 'store'>, businessId: string): Promise<Business> {
  const recorded = await store.readStream(streamName('business', businessId));
  const facts = recorded.flatMap(({ event }) => (event ? [event as BusinessEvent] : []));
  const business: BusinessState = fold(businessDecider, facts);
  if (!business) throw new NotFoundError('Business not found');
  return business;
}
