import { START, type SubscriptionMessage } from '#core/event-store/port.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { reasonOf } from '#projections/runtime/failure.ts';
import { backOff, pause } from '#projections/runtime/pause.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { type ProjectionDeps, projectBatch } from './batch.ts';
import { readCheckpoint } from './checkpoint.ts';

/** Events folded at once: what has arrived, at most this many. */
const batchSize = 1_000;

/**
 * Keeps a projection's live tables up with the log until `signal` aborts; then finishes its batch and resolves.
 * Outages of the log or the database are waited out.
 */
export async function follow(
  deps: ProjectionDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const _ of liveMoves(deps, projection, signal)) failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      deps.log.warn({
        event: 'projection-interrupted',
        projection: projection.name,
        reason: reasonOf(error),
        failures,
      });
      await pause(backOff(failures), signal);
    }
  }
}

/** Yields after each move of the checkpoint; ends when another writer has moved it. */
async function* liveMoves(
  deps: ProjectionDeps,
  projection: Projection,
  signal: AbortSignal,
): AsyncGenerator<void> {
  const build = liveBuild(projection);
  let from = (await readCheckpoint(deps.pool, build.key))?.position ?? START;
  const filter = { categories: projection.categories };
  for await (const message of deps.store.subscribeAll(from, { filter, batch: batchSize, signal })) {
    const events = eventsOf(message);
    if (events.length === 0 && message.position === from) continue;
    const outcome = await projectBatch(deps, projection, build, { from, to: message.position, events });
    if (outcome === 'elsewhere') return;
    from = message.position;
    yield;
    if (signal.aborted) return;
  }
}

function eventsOf(message: SubscriptionMessage) {
  return message.kind === 'events' ? message.events : [];
}
