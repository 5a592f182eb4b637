import { recordErasure } from '#api/privacy/erasures.ts';
import { planOnJobs, releaseJobs } from '#api/privacy/request-erasure.ts';
import { erasureDecider } from '#core/erasure/decider.ts';
import { isErasureEvent } from '#core/erasure/events.ts';
import { typedEvents } from '#core/event-store/typed-events.ts';
import { fold } from '#core/kernel/decider.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import type { Process, ProcessDeps } from './process.ts';

/**
 * Writes down which erasures there are and how far they have come, and says on each job what is to become of its customer's details,
 * wherever the request did not get to that, in the name of who asked. What is due is carried out by the chore `carry-out-erasures`.
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
      if (event.type === 'ErasureRequested') await planOnJobs(deps, event.data, actor);
      if (event.type === 'ErasureCancelled' || event.type === 'ErasureRefused')
        await releaseJobs(deps, await erasureOf(deps, stream), actor);
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
