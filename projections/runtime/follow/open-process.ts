import type { Pool } from 'pg';
import { type EventStore, START } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { liveBuild, readModelCheckpoints } from '#projections/runtime/build.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { lockCheckpoint, openCheckpoint, readCheckpoint } from './checkpoint.ts';

/** A follower without tables that acts on the log, and from where it follows where it has no checkpoint. */
export type FollowingProcess = Projection & Readonly<{ begins: 'at the start' | 'now' }>;

type Opening = Readonly<{ pool: Pool; store: Pick<EventStore, 'head'> }>;

/**
 * Makes the checkpoint of a process where there is none, so whatever begins to serve calls this first. A database of an
 * earlier release may have it, and what was set aside, among those of the read models: then the process goes on from there.
 */
export async function openProcess({ pool, store }: Opening, process: FollowingProcess): Promise<void> {
  const { key, checkpoints } = liveBuild(process);
  if ((await readCheckpoint(pool, key, checkpoints)) !== null) return;
  const head = await store.head();
  await inTransaction(pool, async (db) => {
    const earlier = await lockCheckpoint(db, key);
    const beginning = process.begins === 'now' ? head : START;
    await openCheckpoint(db, key, process.version, earlier?.position ?? beginning, checkpoints);
    if (!earlier?.hasParked) return;
    await db.query(
      `insert into ${checkpoints.parked}
       select * from ${readModelCheckpoints.parked} where ${readModelCheckpoints.follower} = $1 on conflict do nothing`,
      [key],
    );
  });
}
