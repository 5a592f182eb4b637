import type { Pool } from 'pg';
import type { EventStore } from '#core/event-store/port.ts';
import { accounts } from '#projections/accounts/projection.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { outboxReactor } from '#projections/outbox/reactor.ts';
import { publicForm } from '#projections/public-form/projection.ts';
import { keyOf } from './build.ts';
import { openCheckpoint } from './follow/checkpoint.ts';
import type { Projection } from './projection.ts';

/** Every projection there is. */
export const projections: readonly Projection[] = [jobsProjection, accounts, publicForm];

/** What follows the log with a checkpoint of its own and acts, instead of keeping tables that could be built anew. */
export const reactors: readonly Projection[] = [outboxReactor(() => new Date())];

/**
 * Makes a reactor's checkpoint where there is none: it acts on what happens from now on, so whatever begins to serve calls
 * this first.
 */
export async function openReactor(
  { pool, store }: Readonly<{ pool: Pool; store: EventStore }>,
  reactor: Projection,
): Promise<void> {
  await openCheckpoint(pool, keyOf(reactor), reactor.version, await store.head());
}
