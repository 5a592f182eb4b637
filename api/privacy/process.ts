import type { Process, ProcessDeps } from '#api/background/process.ts';
import { erasureDecider } from '#core/erasure/decider.ts';
import { isErasureEvent } from '#core/erasure/events.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import { fold } from '#core/kernel/decider.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { recordErasure } from './erasures.ts';
import { planErasure, releaseErasure } from './request-erasure.ts';

/**
 * Writes down which erasures there are and how far they have come, and says on each job what is to become of its customer's details,
 * and on a business whether it is to be closed, wherever the request did not get to that, in the name of who asked. What is due is carried out by the chore `carry-out-erasures`.
 */
export const erasures: Process = {
  name: 'erasures',
  follows: ['ErasureRequested', 'ErasureCancelled', 'ErasureRefused', 'ErasureBegun', 'ErasureCompleted'],
  begins: 'at the start',
  async step(deps, events, db) {
    for (const { event, stream, metadata } of events) {
      const { actor } = metadata;
      if (!event || !isErasureEvent(event)) continue;
      await recordErasure(db, event);
      if (event.type === 'ErasureRequested') await planErasure(deps, event.data, actor);
      if (event.type === 'ErasureCancelled' || event.type === 'ErasureRefused')
        await releaseErasure(deps, await erasureOf(deps, stream), actor);
    }
  },
};

async function erasureOf({ store }: Pick<ProcessDeps, 'store'>, stream: StreamName) {
  const events = typedEvents(isErasureEvent, await store.readStream(stream));
  const state = fold(
    erasureDecider,
    events.flatMap(({ event }) => event ?? []),
  );
  if (state === null) throw new TypeError('an erasure begins with its request');
  return state;
}
