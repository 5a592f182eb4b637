import { START } from '#core/event-store/port.ts';
import { backOff, pause } from '#core/kernel/pause.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { reasonOf } from '#projections/runtime/failure.ts';
import { notifyInProcess } from '#projections/runtime/notify.ts';
import { eventsOf, type Projection } from '#projections/runtime/projection.ts';
import { type ProjectionDeps, projectBatch } from './batch.ts';
import { readCheckpoint } from './checkpoint.ts';
import type { PositionWriter } from './position-writer.ts';

/** Events folded at once: what has arrived, at most this many. */
const batchSize = 1_000;

export type FollowDeps = ProjectionDeps & Readonly<{ positions: PositionWriter }>;

/**
 * Keeps a projection's live tables up with the log until `signal` aborts; then finishes its batch and resolves. The
 * store shares one subscription among all followers of a process. Outages of the log or the database are waited out.
 */
export async function follow(deps: FollowDeps, projection: Projection, signal: AbortSignal): Promise<void> {
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

/** Yields after each move; ends when another writer has moved the checkpoint. */
async function* liveMoves(
  { positions, ...deps }: FollowDeps,
  projection: Projection,
  stopping: AbortSignal,
): AsyncGenerator<void> {
  const build = liveBuild(projection);
  const moved = new AbortController();
  const signal = AbortSignal.any([stopping, moved.signal]);
  await positions.settle(build.key);
  let written = (await readCheckpoint(deps.pool, build.key, build.checkpoints))?.position ?? START;
  let reached = written;
  const filter = { categories: projection.categories };
  for await (const message of deps.store.subscribeAll(written, { filter, batch: batchSize, signal })) {
    const { position } = message;
    const events = message.kind === 'events' ? eventsOf(projection, message.events) : [];
    if (events.length === 0 && position === reached) continue;
    // The first move is written: tables without a checkpoint count as never filled.
    if (events.length === 0 && written !== START) {
      positions.pass(build.key, written, position, () => moved.abort());
      notifyInProcess(deps.pool, { projection: build.key, position, hasWritten: false });
    } else {
      written = (await positions.settle(build.key)) ?? written;
      const outcome = await projectBatch(deps, projection, build, { from: written, to: position, events });
      if (outcome === 'elsewhere') return;
      written = position;
    }
    reached = position;
    yield;
    if (signal.aborted) return;
  }
}
