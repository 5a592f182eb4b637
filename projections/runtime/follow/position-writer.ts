import type { Pool } from 'pg';
import type { Position } from '#core/event-store/port.ts';
import { readModelCheckpoints } from '#projections/runtime/build.ts';
import type { CheckpointTables } from '#projections/runtime/projection.ts';

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
