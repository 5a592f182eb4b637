import type { Pool } from 'pg';
import { type Position, START } from '#core/event-store/port.ts';
import { backOff, pause } from '#core/kernel/pause.ts';
import { liveBuild, readModelCheckpoints } from '#projections/runtime/build.ts';
import { reasonOf } from '#projections/runtime/failure.ts';
import { type CheckpointTables, eventsOf, type Projection } from '#projections/runtime/projection.ts';
import { type ProjectionDeps, projectBatch } from './batch.ts';
import { readCheckpoint } from './checkpoint.ts';

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
      deps.progress?.tell({ projection: build.key, position, hasWritten: false });
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

/** How long a follower's progress past events of others may stand in memory alone, in milliseconds. */
const WRITE_AFTER = 1_000;

/**
 * Writes how far followers have come past events that do not concern them: for all of a worker whose checkpoints are in the
 * same table in one statement, at most once a second. A crash loses at most that second, and none of those events changes a table.
 */
export type PositionWriter = Readonly<{
  /**
   * Notes that the follower of `key`, whose checkpoint stands at `written`, has passed everything up to `reached`.
   * `onMoved` is called once when another writer turns out to have moved the checkpoint.
   */
  pass(key: string, written: Position, reached: Position, onMoved: () => void): void;
  /** Forgets what `pass` noted, before a batch: answers where the checkpoint stands now, undefined if nothing was noted. */
  settle(key: string): Promise<Position | undefined>;
  /** Writes at once what stands in memory alone. Nothing is to be noted afterwards. */
  stop(): Promise<void>;
}>;

type Passed = { written: Position; reached: Position; onMoved: () => void };
type Row = Readonly<{ key: string; position: Position; moved: boolean }>;

export function createPositionWriter(
  pool: Pool,
  checkpoints: CheckpointTables = readModelCheckpoints,
): PositionWriter {
  const passed = new Map<string, Passed>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Readonly<{ keys: ReadonlySet<string>; done: Promise<void> }> | undefined;

  function arm(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void write();
    }, WRITE_AFTER);
  }

  function write(): Promise<void> {
    const due = new Map(
      [...passed]
        .filter(([, { written, reached }]) => written !== reached)
        .map(([key, one]) => [key, { ...one }]),
    );
    if (due.size === 0) return Promise.resolve();
    const done = movePositions(pool, checkpoints, due)
      .then((rows) => note(due, rows))
      // An outage is reported by the batches that meet it, and the next turn writes what this one did not.
      .catch(() => {})
      .finally(() => {
        writing = undefined;
        if ([...passed.values()].some(({ written, reached }) => written !== reached)) arm();
      });
    writing = { keys: new Set(due.keys()), done };
    return done;
  }

  function note(due: ReadonlyMap<string, Passed>, rows: readonly Row[]): void {
    for (const [key, { written, reached }] of due) {
      const now = passed.get(key);
      if (now === undefined) continue;
      const row = rows.find((one) => one.key === key);
      if (row?.moved) now.written = reached;
      // A checkpoint that stands where it did was locked, and is written in the next turn.
      else if (row?.position !== written) {
        passed.delete(key);
        now.onMoved();
      }
    }
  }

  return {
    pass(key, written, reached, onMoved) {
      const before = passed.get(key);
      passed.set(key, { written: before?.written ?? written, reached, onMoved });
      if (writing === undefined) arm();
    },
    async settle(key) {
      if (writing?.keys.has(key)) await writing.done;
      const written = passed.get(key)?.written;
      passed.delete(key);
      return written;
    },
    async stop() {
      clearTimeout(timer);
      await writing?.done;
      clearTimeout(timer);
      await write();
      clearTimeout(timer);
    },
  };
}

/** Moves each checkpoint from where it stood, by compare-and-set; one that is locked is left, so that none waits for another. */
async function movePositions(
  pool: Pool,
  { positions, follower }: CheckpointTables,
  due: ReadonlyMap<string, Passed>,
): Promise<Row[]> {
  const all = [...due];
  const { rows } = await pool.query<Row>({
    // Planned once: it finds a handful of rows by their key, whatever the table holds.
    name: 'pass-checkpoints',
    text: `with wanted as (
        select * from unnest($1::text[], $2::bigint[], $3::bigint[]) as w(key, written, reached)
      ), free as (
        select key, reached from ${positions} c join wanted on ${follower} = key and position = written
        for update of c skip locked
      ), moved as (
        update ${positions} set position = reached from free where ${follower} = key returning key
      )
      select key, position, key in (select key from moved) as moved
      from ${positions} join wanted on ${follower} = key`,
    values: [all.map(([key]) => key), all.map(([, one]) => one.written), all.map(([, one]) => one.reached)],
  });
  return rows;
}
