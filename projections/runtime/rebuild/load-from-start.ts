import type { Pool, PoolClient } from 'pg';
import { type Position, START } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { ApplyError, isPoison, reasonOf } from '#projections/runtime/failure.ts';
import type { ProjectionDeps } from '#projections/runtime/follow/batch.ts';
import { lockCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import { StreamBuffer, type StreamRow } from '#projections/runtime/stream-buffer.ts';
import { type LoadOptions, load, type Target } from './load.ts';
import { emptySideBuild } from './side-build.ts';

/**
 * Streams held in memory between two batches (those of one batch come on top), and how many are left when there are
 * more: those that moved last, which are the likeliest to move again.
 */
export type HeldStreams = Readonly<{ most: number; left: number }>;
const usually: HeldStreams = { most: 10_000, left: 2_000 };

type Buffered = Target & Readonly<{ buffer: StreamBuffer<StreamRow> }>;

/** Postgres or the projection refused rows of a buffer: which event is to blame cannot be told from them. */
class BufferedWriteError extends Error {
  override readonly name = 'BufferedWriteError';
}

/**
 * `load` into empty side builds, from the first event. At a fast pace the streams are folded in memory and most rows are
 * written once, by COPY. When rows are refused, the builds are emptied and filled again batch by batch with their events,
 * so that the event to blame is parked as anywhere else.
 */
export async function loadFromStart(
  deps: ProjectionDeps,
  targets: readonly Target[],
  options: LoadOptions,
  held = usually,
): Promise<Position> {
  if (options.pace?.kind === 'gentle') return load(deps, targets, START, options);
  try {
    return await loadBuffered(deps, targets, options, held);
  } catch (error) {
    if (!(error instanceof BufferedWriteError)) throw error;
    deps.log.warn({ event: 'projection-build-again', reason: reasonOf(error.cause) });
    for (const target of targets) await emptySideBuild(deps.pool, target);
    return load(deps, targets, START, options);
  }
}

async function loadBuffered(
  deps: ProjectionDeps,
  targets: readonly Target[],
  options: LoadOptions,
  { most, left }: HeldStreams,
): Promise<Position> {
  const buffered: Buffered[] = [];
  const all = targets.map((target): Target => {
    const { projection, build } = target;
    if (!projection.writeBuffered) return target;
    const buffer = new StreamBuffer<StreamRow>();
    buffered.push({ projection, build, buffer });
    return {
      build,
      projection: {
        ...projection,
        apply: (db, table, events) => projection.apply(db, table, events, buffer),
      },
    };
  });
  const position = await load(deps, all, START, {
    ...options,
    async afterBatch(at) {
      for (const one of buffered) if (one.buffer.size > most) await writeOut(deps.pool, one, left, at);
    },
  });
  for (const one of buffered) await writeOut(deps.pool, one, 0, position);
  return position;
}

/** Writes all but the `left` streams that moved last, of a build that has come to `at`. */
async function writeOut(
  pool: Pool,
  { projection, build, buffer }: Buffered,
  left: number,
  at: Position,
): Promise<void> {
  const write = async (db: PoolClient) => {
    if ((await lockCheckpoint(db, build.key))?.position !== at) {
      throw new Error(`another process builds ${build.key}`);
    }
    try {
      await projection.writeBuffered?.(db, build.table, buffer.takeAllBut(left));
    } catch (cause) {
      const message = `${projection.name} could not write its buffer`;
      throw isPoison(new ApplyError(message, { cause })) ? new BufferedWriteError(message, { cause }) : cause;
    }
  };
  // As every batch of a side build: after a crash it is started again.
  await inTransaction(pool, write, { mayBeLost: true });
}
