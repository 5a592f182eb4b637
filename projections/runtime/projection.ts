import type { PoolClient } from 'pg';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { Category } from '#core/kernel/stream-name.ts';
import type { Table } from './table.ts';

/** What a batch changed, for pages that are open: ids and kinds only, never content. */
export type Change = Readonly<{
  businessId: string;
  kind: 'job' | 'business' | 'form' | 'account';
  id: string;
}>;

/** The names under which a projection's tables go just now: live, or the next ones while rebuilding. Quoted, with schema. */
export type TableNames = (table: string) => string;

/** The tables of checkpoints and of what was set aside, with their schema; `follower` is the column of a follower's key. */
export type CheckpointTables = Readonly<{ positions: string; parked: string; follower: string }>;

/**
 * What a batch writes last: `with` queries, each of which writes only where `moved` has a row (`ifMoved`). `values` are their
 * parameters, from $1 on.
 */
export type LastWrite = Readonly<{ name: string; queries: readonly string[]; values: readonly unknown[] }>;

/** The condition of the queries of a `LastWrite`. */
export const ifMoved = 'exists (select from moved)';

/** Runs a `LastWrite` where the checkpoint is moved apart from it. */
export async function writeApart(db: PoolClient, { name, queries, values }: LastWrite): Promise<void> {
  // Named, so that it is read once: no plan of it depends on how full the tables were then.
  await db.query({
    name,
    text: `with moved as (select), ${queries.join(', ')} select`,
    values: [...values],
  });
}

/** Ends a batch: writes, moves the checkpoint and notifies of `changes` in one statement. Called once, and last. */
export type EndBatch = (write: LastWrite, changes: readonly Change[]) => Promise<void>;

/**
 * Events in, rows out. A projection owns its tables in schema `read`; it may see an event twice and be rebuilt any day,
 * and never throws on an event. `apply` folds the batch in memory and writes each table with one multi-row statement,
 * inside the transaction that also moves the checkpoint.
 */
export type Projection<State extends StreamRow = StreamRow> = Readonly<{
  name: string;
  /** Raised with the shape of its tables: a release then builds the new ones before it is ready. */
  version: number;
  tables: readonly Table[];
  /** Where its checkpoint is stored; absent, among those of the read models. */
  checkpoints?: CheckpointTables;
  categories: readonly Category[];
  /**
   * Whether an event of these categories can change a table; without it, each can. What it leaves out is passed in memory,
   * without a transaction. Not asked about an event that cannot be read.
   */
  concerns?(event: RecordedEvent): boolean;
  /** Whether `apply` has one statement that writes, and calls `end` with it where it is given one. */
  endsBatches?: true;
  /** With a buffer, leaves in it what it would write; it adds to the buffer only when it does not throw. */
  apply(
    db: PoolClient,
    table: TableNames,
    events: readonly RecordedEvent[],
    buffer?: StreamBuffer<State>,
    end?: EndBatch,
  ): Promise<Change[]>;
  /** Writes streams out of the buffer. A projection that has this gets a buffer while it is built from the first event. */
  writeBuffered?(db: PoolClient, table: TableNames, moved: readonly Transition<State>[]): Promise<void>;
}>;

/** The events that a projection may have to do something about. */
export function eventsOf(
  { categories, concerns }: Projection,
  events: readonly RecordedEvent[],
): RecordedEvent[] {
  const prefixes = categories.map((category) => `${category}-`);
  return events.filter(
    (event) =>
      prefixes.some((prefix) => event.stream.startsWith(prefix)) &&
      (event.event === undefined || (concerns?.(event) ?? true)),
  );
}

/** A row that stands for one stream. Columns are named as in the table; instants are ISO strings. */
export type StreamRow = Readonly<{ revision: number }>;

/** What a batch made of one row, or of what is known of one stream. */
export type Transition<State extends StreamRow> = Readonly<{ before: State | undefined; after: State }>;

/**
 * Streams that a build from the first event has folded and not written yet. Most events of a job lie close together, so
 * most jobs are written once, as they are at the end.
 */
export class StreamBuffer<State extends StreamRow> {
  /** By the stream's id, the one that moved last at the end; `before` is what the tables hold of it. */
  private readonly streams = new Map<string, Transition<State>>();

  get size(): number {
    return this.streams.size;
  }

  get(id: string): State | undefined {
    return this.streams.get(id)?.after;
  }

  put(id: string, { before, after }: Transition<State>): void {
    const held = this.streams.get(id);
    this.streams.delete(id);
    this.streams.set(id, { before: held ? held.before : before, after });
  }

  /** Removes and answers all but the `most` streams that moved last. */
  takeAllBut(most: number): Transition<State>[] {
    const taken: Transition<State>[] = [];
    for (const [id, transition] of this.streams) {
      if (this.streams.size <= most) break;
      this.streams.delete(id);
      taken.push(transition);
    }
    return taken;
  }
}
