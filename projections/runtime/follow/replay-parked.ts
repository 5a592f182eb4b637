import type { PoolClient } from 'pg';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type Build, liveBuild } from '#projections/runtime/build.ts';
import { ApplyError, isPoison, reasonOf } from '#projections/runtime/failure.ts';
import { sendNotification } from '#projections/runtime/notify.ts';
import type { Change, Projection } from '#projections/runtime/projection.ts';
import type { ProjectionDeps } from './batch.ts';
import { lockCheckpoint } from './checkpoint.ts';

/** An event that is still set aside. */
export type StillParked = Readonly<{
  position: string;
  stream: StreamName;
  revision: number;
  type: string;
  reason: string;
}>;

export type Replay = Readonly<{ applied: number; remaining: readonly StillParked[] }>;

/**
 * Applies what was set aside, stream by stream in order, once its cause is mended. A stream stops at the first event
 * that still cannot be read or applied; that one and what follows it stay, with the reason of today.
 */
export async function replayParked(deps: ProjectionDeps, projection: Projection): Promise<Replay> {
  const build = liveBuild(projection);
  const { parked, follower } = build.checkpoints;
  const { rows } = await deps.pool.query<{ stream: StreamName }>(
    `select stream from ${parked} where ${follower} = $1 group by stream order by min(position)`,
    [build.key],
  );
  let applied = 0;
  for (const { stream } of rows) applied += await replayStream(deps, projection, stream);
  return { applied, remaining: await listParked(deps.pool, build) };
}

/** What a projection has set aside, in the order of the log. */
async function listParked(
  db: Pick<PoolClient, 'query'>,
  { key, checkpoints: { parked, follower } }: Build,
  stream?: StreamName,
): Promise<StillParked[]> {
  const { rows } = await db.query<StillParked>(
    `select position, stream, revision, type, reason from ${parked}
     where ${follower} = $1 and ($2::text is null or stream = $2) order by position`,
    [key, stream ?? null],
  );
  return rows;
}

/** The checkpoint is held meanwhile, so that the live writer sets nothing more of the stream aside. */
async function replayStream(
  { store, pool }: ProjectionDeps,
  projection: Projection,
  stream: StreamName,
): Promise<number> {
  const build = liveBuild(projection);
  return inTransaction(pool, async (db) => {
    const checkpoint = await lockCheckpoint(db, build.key, build.checkpoints);
    const parked = await listParked(db, build, stream);
    const [first] = parked;
    if (!checkpoint || !first) return 0;
    const history = new Map(
      (await store.readStream(stream, first.revision)).map((event) => [event.position, event]),
    );
    const changes: Change[] = [];
    let applied = 0;
    for (const { position } of parked) {
      const outcome = await tryOne(db, projection, build, history.get(position));
      if (typeof outcome === 'string') {
        await keep(db, build, stream, position, outcome);
        break;
      }
      changes.push(...outcome);
      await db.query(
        `delete from ${build.checkpoints.parked} where ${build.checkpoints.follower} = $1 and position = $2`,
        [build.key, position],
      );
      applied++;
    }
    if (applied > 0 && projection.tables.length > 0)
      await sendNotification(db, { projection: build.key, position: checkpoint.position, changes });
    return applied;
  });
}

/** What the event changed, or why it still cannot go through. */
async function tryOne(
  db: PoolClient,
  projection: Projection,
  build: Build,
  event: RecordedEvent | undefined,
): Promise<Change[] | string> {
  if (event === undefined) return 'no longer in the log';
  if (event.unreadable !== undefined) return event.unreadable;
  await db.query('savepoint one');
  try {
    const changes = await projection.apply(db, build.table, [event]);
    await db.query('release savepoint one');
    return changes;
  } catch (cause) {
    const error = new ApplyError(`${projection.name} could not apply an event`, { cause });
    if (!isPoison(error)) throw cause;
    await db.query('rollback to savepoint one');
    return reasonOf(error);
  }
}

async function keep(
  db: PoolClient,
  { key, checkpoints: { parked, follower } }: Build,
  stream: StreamName,
  position: string,
  reason: string,
): Promise<void> {
  await db.query(
    `update ${parked}
     set reason = case when position = $3 then $4 else 'follows a parked event' end
     where ${follower} = $1 and stream = $2 and position >= $3`,
    [key, stream, position, reason.slice(0, 300)],
  );
}
