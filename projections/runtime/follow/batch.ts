import type { Pool, PoolClient } from 'pg';
import { type EventStore, type Position, type RecordedEvent, START } from '#core/event-store/port.ts';
import { pause } from '#core/kernel/pause.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import type { Build } from '#projections/runtime/build.ts';
import {
  ApplyError,
  ChangedMeanwhileError,
  isChangedMeanwhile,
  isPoison,
  type Log,
  reasonOf,
} from '#projections/runtime/failure.ts';
import { type ProgressChannel, payloads } from '#projections/runtime/notify.ts';
import {
  type Change,
  type EndBatch,
  eventsOf,
  type LastWrite,
  type Projection,
} from '#projections/runtime/projection.ts';
import {
  type LockedCheckpoint,
  lockCheckpoint,
  moveCheckpoint,
  park,
  parkedStreams,
  passTo,
  setAside,
  writeAndMove,
} from './checkpoint.ts';

export type ProjectionDeps = Readonly<{
  store: EventStore;
  pool: Pool;
  log: Log;
  /** Hears of each move. Absent: this process learns of it as another one does, from the database. */
  progress?: ProgressChannel | undefined;
  /** The keys of live builds that have something parked, as far as the worker knows. Absent: each batch finds out. */
  haveParked?: Set<string> | undefined;
  /** Runs each batch that has events, such as in a span. Absent: it is just applied. */
  aroundBatch?: AroundBatch | undefined;
}>;

export type AroundBatch = <T>(
  batch: Batch & Readonly<{ projection: string; version: number; build: Build['kind'] }>,
  apply: () => Promise<T>,
) => Promise<T>;

/** Events after `from`, up to and including `to`; those that do not match may be missing. */
export type Batch = Readonly<{ from: Position; to: Position; events: readonly RecordedEvent[] }>;

const tries = 3;
const noneRejected: ReadonlyMap<string, string> = new Map();

/**
 * Brings a build from `batch.from` to `batch.to`, parking what cannot be read or applied.
 * `'elsewhere'`: another writer has moved the checkpoint, nothing was written. Throws when the database cannot be reached.
 */
export async function projectBatch(
  deps: ProjectionDeps,
  projection: Projection,
  build: Build,
  batch: Batch,
): Promise<'moved' | 'elsewhere'> {
  const matching = eventsOf(projection, batch.events);
  if (matching.length === 0 && batch.from !== START) return pass(deps, build, batch);
  const apply = async () => {
    const events = await readAgain(deps.store, matching, tries);
    return persist(deps, projection, build, { ...batch, events }, tries);
  };
  if (!deps.aroundBatch || matching.length === 0) return apply();
  const { name, version } = projection;
  const applied = { ...batch, events: matching, projection: name, version, build: build.kind };
  return deps.aroundBatch(applied, apply);
}

/** Moves past events that are not this projection's, in one statement. */
async function pass(
  { pool }: ProjectionDeps,
  build: Build,
  { from, to }: Batch,
): Promise<'moved' | 'elsewhere'> {
  return (await passTo(pool, build, from, to)) ? 'moved' : 'elsewhere';
}

async function persist(
  deps: ProjectionDeps,
  projection: Projection,
  build: Build,
  batch: Batch,
  triesLeft: number,
): Promise<'moved' | 'elsewhere'> {
  try {
    return (
      (await attemptAtOnce(deps, projection, build, batch)) ??
      (await attempt(deps, projection, build, batch, noneRejected))
    );
  } catch (error) {
    if (!isPoison(error)) throw error;
    if (triesLeft > 1) {
      await pause(50);
      return persist(deps, projection, build, batch, triesLeft - 1);
    }
    return isolate(deps, projection, build, batch, reasonOf(error));
  }
}

async function isolate(
  deps: ProjectionDeps,
  projection: Projection,
  build: Build,
  batch: Batch,
  reason: string,
): Promise<'moved' | 'elsewhere'> {
  const { from, to, events } = batch;
  const [only] = events;
  if (only === undefined) throw new Error(`${projection.name} fails on an empty batch`);
  if (events.length === 1) {
    return attempt(deps, projection, build, batch, new Map([[only.position, reason]]));
  }
  const middle = Math.ceil(events.length / 2);
  const left = events.slice(0, middle);
  const border = left.at(-1)?.position ?? from;
  const first = await persist(deps, projection, build, { from, to: border, events: left }, 1);
  if (first === 'elsewhere') return first;
  return persist(deps, projection, build, { from: border, to, events: events.slice(middle) }, 1);
}

const nothingToWrite: LastWrite = { name: 'write nothing', queries: [], values: [] };

/**
 * A batch of a projection that writes with one statement: that one moves the checkpoint too, and nothing is locked before. What
 * it reads is as old as its beginning; what changes the tables meanwhile moves the checkpoint, or had something set aside.
 * Undefined, and nothing is written, where the checkpoint is to be locked first.
 */
async function attemptAtOnce(
  { pool, progress, haveParked }: ProjectionDeps,
  projection: Projection,
  build: Build,
  { from, to, events }: Batch,
): Promise<'moved' | undefined> {
  if (!projection.endsBatches || build.kind !== 'live' || from === START) return undefined;
  if (haveParked?.has(build.key) || events.some(({ unreadable }) => unreadable !== undefined))
    return undefined;
  const work = async (db: PoolClient) => {
    let hasEnded = false;
    const end: EndBatch = async (write, changes) => {
      const notifications = notificationsOf(projection, build, to, changes);
      if (!(await writeAndMove(db, build, { from, to }, write, notifications)))
        throw new ChangedMeanwhileError();
      hasEnded = true;
    };
    const changes = await apply(db, projection, build, events, end);
    if (!hasEnded) await end(nothingToWrite, changes);
  };
  try {
    // A crash that loses it loses the move as well, and the next leader goes on from before it.
    await inTransaction(pool, work, { isRepeatable: true, mayBeLost: true, once: true });
  } catch (error) {
    if (isChangedMeanwhile(error)) return undefined;
    throw error;
  }
  progress?.tell({ projection: build.key, position: to, hasWritten: true });
  return 'moved';
}

async function attempt(
  { pool, log, progress, haveParked }: ProjectionDeps,
  projection: Projection,
  build: Build,
  { from, to, events }: Batch,
  rejected: ReadonlyMap<string, string>,
): Promise<'moved' | 'elsewhere'> {
  const outcome = await inBuild(pool, build, async (db) => {
    const locked = (await lockCheckpoint(db, build.key, build.checkpoints)) ?? unopened(build);
    if (build.kind === 'live' && locked?.hasParked) haveParked?.add(build.key);
    else haveParked?.delete(build.key);
    if (locked?.position !== from) return null;
    const known = locked.hasParked ? await parkedStreams(db, build, events) : [];
    const { sound, parked } = setAside(events, rejected, known);
    const changes = await apply(db, projection, build, sound);
    await park(db, build, parked);
    const { version } = projection;
    await moveCheckpoint(
      db,
      { ...build, version },
      from,
      to,
      notificationsOf(projection, build, to, changes),
    );
    return parked;
  });
  if (outcome === null) return 'elsewhere';
  for (const { event, reason } of outcome) {
    const { position, stream, type } = event;
    log.error({ event: 'event-parked', projection: build.key, position, stream, type, reason });
  }
  if (build.kind === 'live') progress?.tell({ projection: build.key, position: to, hasWritten: true });
  return 'moved';
}

/** Without tables there is nothing that other processes read, and notifications make commits queue. */
function notificationsOf(
  { tables }: Projection,
  { kind, key }: Build,
  position: Position,
  changes: readonly Change[],
): string[] {
  return kind === 'live' && tables.length > 0 ? payloads({ projection: key, position, changes }) : [];
}

/** Live tables without a checkpoint are empty: their first batch makes it, so that they do not count as filled before. */
function unopened({ kind }: Build): LockedCheckpoint | null {
  return kind === 'live' ? { position: START, hasParked: false } : null;
}

async function apply(
  db: PoolClient,
  projection: Projection,
  build: Build,
  events: readonly RecordedEvent[],
  end?: EndBatch,
): Promise<Change[]> {
  if (events.length === 0) return [];
  try {
    return await projection.apply(db, build.table, events, undefined, end);
  } catch (cause) {
    if (cause instanceof ChangedMeanwhileError) throw cause;
    throw new ApplyError(`${projection.name} could not apply a batch`, { cause });
  }
}

/** A build that is not live is started again after a crash, so its commits need not wait for the disk. */
function inBuild<T>(pool: Pool, build: Build, work: (db: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, work, { mayBeLost: build.kind !== 'live' });
}

/**
 * Reads the unreadable events of a batch again, since what hid them (a key that did not answer) may have passed.
 * Only the first of each stream counts: what follows it waits in any case. `tries` includes the read that brought them.
 */
async function readAgain(
  store: EventStore,
  events: readonly RecordedEvent[],
  tries: number,
): Promise<readonly RecordedEvent[]> {
  const read = new Map<string, RecordedEvent>();
  for (let attempt = 1; attempt < tries; attempt++) {
    const missing = firstUnreadablePerStream(events.map((event) => read.get(event.id) ?? event));
    if (missing.length === 0) break;
    await pause(50 * attempt);
    for (const { stream, revision } of missing) {
      for (const event of await store.readStream(stream, revision)) read.set(event.id, event);
    }
  }
  return read.size === 0 ? events : events.map((event) => read.get(event.id) ?? event);
}

function firstUnreadablePerStream(events: readonly RecordedEvent[]): RecordedEvent[] {
  const first = new Map<string, RecordedEvent>();
  for (const event of events) {
    if (event.unreadable !== undefined && !first.has(event.stream)) first.set(event.stream, event);
  }
  return [...first.values()];
}
