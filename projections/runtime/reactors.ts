import type { Pool } from 'pg';
import { comparePositions, type EventStore, START } from '#core/event-store/port.ts';
import { outboxReactor } from '#projections/outbox/reactor.ts';
import { keyOf } from './build.ts';
import { moveCheckpoint, openCheckpoint } from './checkpoint.ts';
import type { Projection } from './projection.ts';
import { inTransaction } from './transaction.ts';

/** What follows the log with a checkpoint of its own and acts, instead of keeping tables that could be built anew. */
export const reactors: readonly Projection[] = [outboxReactor(() => new Date())];

/**
 * Makes a reactor's checkpoint where there is none: it acts on what happens from now on, so whatever begins to serve calls
 * this first. One that is ahead of a log that was restored goes back to its start: what it has said already, or what is
 * old, is not said again.
 */
export async function openReactor(
  { pool, store }: Readonly<{ pool: Pool; store: EventStore }>,
  reactor: Projection,
): Promise<void> {
  const key = keyOf(reactor);
  const head = await store.head();
  const { position, version } = await openCheckpoint(pool, key, reactor.version, head);
  // The head as it was before: a worker may have moved on since.
  if (comparePositions(position, head) <= 0 || comparePositions(position, await store.head()) <= 0) return;
  await inTransaction(pool, (db) => moveCheckpoint(db, { key, version }, position, START));
}
