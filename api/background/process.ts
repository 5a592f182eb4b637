import type { PoolClient } from 'pg';
import type { Clock, Database, Deps, EventLog } from '#api/deps.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { eventTypes, type KnownEvent } from '#core/event-store/event-types.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { categories } from '#core/kernel/stream-name.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { FollowerUnavailableError } from '#projections/runtime/failure.ts';
import type { FollowingProcess } from '#projections/runtime/follow/checkpoint.ts';
import type { CheckpointTables, EndBatch } from '#projections/runtime/projection.ts';

/** What the steps of processes act with. `db` and `store` see every business. */
export type ProcessDeps = Pick<Clock, 'now'> &
  Pick<Database, 'db'> &
  Pick<EventLog, 'store'> &
  Pick<Deps, 'config' | 'logger' | 'messages'>;

/** What follows the log and acts on it, with `Needs`. */
export type Process<Needs = ProcessDeps> = Readonly<{
  /** Kebab-case; names its checkpoint, and stands in logs, metrics and `ute processes`. */
  name: string;
  /** The types of the events that it acts on. It passes all others without a transaction. */
  follows: readonly KnownEvent['type'][];
  /** Where it begins on a log that it has not followed yet: with what happens from then on, or with the first event. */
  begins: FollowingProcess['begins'];
  /**
   * Acts on events of the types that it follows, in order. `db` is the transaction that moves the checkpoint: what is
   * written there happens once. What is done besides must bear a repeat: a crash, or a failure of a later event, comes
   * back to it. An event on which it throws thrice is set aside; an outage is waited out. One that `endsBatches` calls `end`
   * with its only write, where it is given one.
   */
  step(deps: Needs, events: readonly RecordedEvent[], db: PoolClient, end?: EndBatch): Promise<void>;
  endsBatches?: true;
}>;

/** Where the checkpoints of processes are stored: with the state, which no rebuild touches. */
const checkpoints: CheckpointTables = {
  positions: 'state.process_positions',
  parked: 'state.process_parked',
  follower: 'process',
};

/** What names the checkpoint of a process. */
export function checkpointOf({
  name,
}: Pick<Process, 'name'>): Pick<FollowingProcess, 'name' | 'version' | 'checkpoints'> {
  return { name, version: 1, checkpoints };
}

/** The process as the follower of the log that the runtime of the projections leads, moves, parks and replays. */
export function followerOf<Needs>(process: Process<Needs>, deps: Needs): FollowingProcess {
  const { name, follows, begins, step, endsBatches } = process;
  return {
    ...checkpointOf(process),
    ...{ tables: [], begins },
    ...(endsBatches && { endsBatches }),
    categories: categories.filter((category) =>
      follows.some((type) => Object.hasOwn(eventTypes[category], type)),
    ),
    concerns: ({ event }) => event !== undefined && follows.includes(event.type),
    async apply(db, _table, events, _buffer, end) {
      try {
        await step(deps, events, db, end);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        throw new FollowerUnavailableError(`what ${name} needs is unavailable`, { cause: error });
      }
      return [];
    },
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof EventStoreUnavailableError || isOutage(error);
}
