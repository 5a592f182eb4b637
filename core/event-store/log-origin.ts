import type { Pool } from 'pg';
import { EventStoreUnavailableError, SilentServerError } from './errors.ts';
import { comparePositions, type EventStore, type Position, START } from './port.ts';
import { createQuery } from './query.ts';

export type LogKind = 'embedded' | 'eventstoredb';

/** How far one reader of the log has come. */
export type ReaderPosition = Readonly<{ name: string; position: Position }>;

/**
 * The log that answers is not the one that this database belongs to, or ends before what was read of it: as good as unavailable.
 * The message is one line for the operator, without secrets.
 */
export class WrongLogError extends EventStoreUnavailableError {}

export type LogOrigin = Readonly<{
  /**
   * Compares the log with the identity that the database has of it, and with what was read of it; notes the identity where
   * there is none yet. Throws `WrongLogError`, or another `EventStoreUnavailableError` while log or database are unavailable.
   * `restoredToo` accepts a log of the right identity that ends before what was read of it. Answers whether an identity is
   * noted now.
   */
  verify(options?: Readonly<{ restoredToo?: boolean }>): Promise<boolean>;
  /** The readers whose position this log does not have. */
  lost(): Promise<ReaderPosition[]>;
  /** Notes the identity once there is a first event. */
  note(): Promise<void>;
  /** What is noted, `kind firstEvent`, and null before the first event. */
  noted(): Promise<Identity | null>;
}>;

export type Identity = Readonly<{ kind: LogKind; firstEvent: string }>;

type Options = Readonly<{
  store: Pick<EventStore, 'readAll' | 'head'>;
  /** Of the database that has the table `state.log_identity`. */
  pool: Pool;
  kind: LogKind;
  /** The position of everything that follows the log. */
  readers: () => Promise<readonly ReaderPosition[]>;
}>;

const places: Readonly<Record<LogKind, string>> = {
  embedded: 'in the database (embedded)',
  eventstoredb: 'on EventStoreDB (eventstoredb)',
};
const ways: Readonly<Record<LogKind, string>> = {
  embedded: 'leave EVENTSTORE_URL out, with DATABASE_URL as before',
  eventstoredb: 'set EVENTSTORE_URL as before',
};

export function createLogOrigin({ store, pool, kind, readers }: Options): LogOrigin {
  const query = createQuery(pool);

  async function noted(): Promise<Identity | null> {
    const [row] = await query<Identity>({
      text: 'select kind, first_event as "firstEvent" from state.log_identity',
      values: [],
    });
    return row ?? null;
  }

  async function firstEvent(): Promise<string | null> {
    const [first] = await store.readAll(START, 1);
    return first?.id ?? null;
  }

  async function note(): Promise<void> {
    const first = await firstEvent();
    if (first === null) return;
    await query({
      text: 'insert into state.log_identity (kind, first_event) values ($1, $2) on conflict do nothing',
      values: [kind, first],
    });
    // Another process may have noted another log at the same moment.
    refuseOther(await noted(), first);
  }

  function refuseOther(known: Identity | null, first: string | null): void {
    if (known === null || (known.kind === kind && known.firstEvent === first)) return;
    throw otherLog(known, first === null ? ' and is empty' : ` and begins with event ${first}`);
  }

  function otherLog(known: Identity, here: string): WrongLogError {
    return new WrongLogError(
      `This is another log: that of this installation is ${places[known.kind]} and begins with event ${known.firstEvent}, ` +
        `this one is ${places[kind]}${here}. Nothing was changed: ${ways[known.kind]}.`,
    );
  }

  function lostError(missing: readonly ReaderPosition[], head: Position, isKnown: boolean): WrongLogError {
    const names = missing.map(({ name }) => name).join(', ');
    const read = `${names} had read up to position ${missing[0]?.position}, which this log (${kind}) does not have; it ends at ${head}`;
    const accept = 'run: bun run ute log accept-restored';
    if (isKnown)
      return new WrongLogError(
        `The log lacks what was read of it: ${read}. If it was restored from a copy, ${accept}`,
      );
    const otherwise = head === START ? '' : `, or, if it is the right one, ${accept}`;
    return new WrongLogError(
      `This is another log than this installation has followed: ${read}. Nothing was changed: set EVENTSTORE_URL and DATABASE_URL as before${otherwise}`,
    );
  }

  async function lost(): Promise<ReaderPosition[]> {
    const positions = await readers();
    const missing = new Set<Position>();
    for (const position of new Set(positions.map((reader) => reader.position))) {
      if (!(await hasPosition(store, position))) missing.add(position);
    }
    return positions.filter(({ position }) => missing.has(position));
  }

  return {
    noted,
    note,
    lost,
    async verify({ restoredToo = false } = {}) {
      const known = await noted();
      // Before the log is asked: a server that was named by mistake may never answer.
      if (known?.kind === 'embedded' && kind !== 'embedded') throw otherLog(known, '');
      const first = await firstEvent();
      refuseOther(known, first);
      const missing = restoredToo && first !== null ? [] : await lost();
      if (missing.length > 0) throw lostError(missing, await store.head(), known !== null);
      if (!known && first !== null) await note();
      return first !== null;
    },
  };
}

/**
 * Whether the log has an event at a position. A server of EventStoreDB fails each read that begins where no record does:
 * that is distinguished from an outage by asking twice, with the end of the log, which answers, before and between.
 */
async function hasPosition(store: Options['store'], position: Position): Promise<boolean> {
  if (position === START) return true;
  for (let attempt = 1; attempt <= 2; attempt++) {
    if (comparePositions(position, await store.head()) > 0) return false;
    try {
      await store.readAll(position, 1);
      return true;
    } catch (error) {
      if (error instanceof SilentServerError) throw error;
    }
  }
  await store.head();
  return false;
}

/** `forget` has the log compared again before the next call: to be called as an outage begins. */
export type VerifiedStore = EventStore & Readonly<{ forget(): void }>;

/**
 * The store of an installation: before anything is read or written, the log is compared with the one that the database
 * belongs to; again after `forget`, because a server may come back from an outage restored. One call that fails is no
 * outage. Every method throws as `LogOrigin.verify`, besides what it throws itself.
 */
export function verifiedStore(store: EventStore, origin: LogOrigin): VerifiedStore {
  let verified: Promise<boolean> | undefined;
  let isNoted = false;
  async function known(): Promise<void> {
    verified ??= origin.verify();
    const asked = verified;
    try {
      if (await asked) isNoted = true;
    } catch (error) {
      if (verified === asked) verified = undefined;
      throw error;
    }
  }
  async function checked<T>(work: () => Promise<T>): Promise<T> {
    await known();
    return work();
  }
  /** Beside the request that appended: what it appended stands, and where the note fails the next append makes it. */
  function noteOnce(): void {
    if (isNoted) return;
    isNoted = true;
    origin.note().catch(() => {
      isNoted = false;
    });
  }
  return {
    async append(...wanted) {
      const appended = await checked(() => store.append(...wanted));
      noteOnce();
      return appended;
    },
    forget() {
      verified = undefined;
    },
    readStream: (...wanted) => checked(() => store.readStream(...wanted)),
    readStreams: (...wanted) => checked(() => store.readStreams(...wanted)),
    readAll: (...wanted) => checked(() => store.readAll(...wanted)),
    head: () => checked(() => store.head()),
    async *subscribeAll(...wanted) {
      await known();
      yield* store.subscribeAll(...wanted);
    },
  };
}
