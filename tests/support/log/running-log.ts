import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Pool } from 'pg';
import { type BackupSources, createBackup } from '#api/backup/back-up.ts';
import { objectReader } from '#api/backup/objects.ts';
import { checkpointFile } from '#api/proof/checkpoint-store.ts';
import { folderTarget } from '#api/providers/backup-target.ts';
import { localFiles } from '#api/providers/files.ts';
import { chainHash, macOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { type AppendResult, type EventStore, type Position, START } from '#core/event-store/port.ts';
import type { NewRawEvent } from '#core/event-store/raw-log.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { JsonObject } from '#core/kernel/canonical-json.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import type { StreamEvent } from '#tests/support/scenarios/events.ts';

const namespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

export type RunningLog = Readonly<{
  store: EventStore;
  /** Appends events in order, each at the end of its stream; answers the last position. */
  append(...streamEvents: StreamEvent[]): Promise<Position>;
  /** Puts an event into the log behind the codec's back: without more, of a type that no code knows. */
  appendUnreadable(stream: string, kind?: Readonly<{ type: string; schema: number }>): Promise<Position>;
  close(): Promise<void>;
}>;

/** The real event store on a test's database, with a shorthand for appending. */
export function runningLog(
  { pool, url }: Pick<TestDatabase, 'pool' | 'url'>,
  dataKey: Buffer = randomBytes(32),
): RunningLog {
  const store = createEmbeddedEventStore({ pool, connectionString: url, dataKey });
  const ends = new Map<string, number>();
  const cause = { actor: 'system', correlation: 'test', at: '2026-11-16T21:30:00.000Z' };

  async function appendOne({ stream, event }: StreamEvent): Promise<AppendResult> {
    const end = ends.get(stream) ?? -1;
    const id = uuidV5(namespace, `${stream}/${end + 1}`);
    const result = await store.append(stream, end < 0 ? 'no-stream' : end, [{ id, event }], {
      ...cause,
      causation: id,
    });
    ends.set(stream, result.revision);
    return result;
  }

  return {
    store,
    async append(...streamEvents) {
      let position = START;
      for (const streamEvent of streamEvents) position = (await appendOne(streamEvent)).position;
      return position;
    },
    async appendUnreadable(stream, { type, schema } = { type: 'KettleBoiled', schema: 1 }) {
      const end = ends.get(stream) ?? -1;
      ends.set(stream, end + 1);
      const { rows } = await pool.query<{ pos: Position }>(
        `select pos from event_store.append(array[1], array[$1], array[$2::integer], array[$3::uuid],
           array[$4], array[$5::integer], array[now()], array['{}'::jsonb], array['{"hash":""}'::jsonb])`,
        [stream, end + 1, uuidV5(namespace, `${stream}/${end + 1}`), type, schema],
      );
      return rows[0]?.pos ?? START;
    },
    close: () => store.close(),
  };
}

/** What became of one request. `status` 0: no answer. */
export type Sent = Readonly<{
  status: number;
  ms: number;
  at: number;
  reference: string | null;
  retryAfter: boolean;
}>;

type Answered = Readonly<{ status: number; headers: Headers }>;

export type SteadyLoad = Readonly<{
  /** All that was answered so far. */
  sent: readonly Sent[];
  /** Sends no more; resolves once everything has been answered. */
  stop(): Promise<readonly Sent[]>;
}>;

/** Sends `perSecond` requests, whether or not the earlier ones were answered, in turn one of each kind. */
export function steadyLoad(perSecond: number, kinds: readonly (() => Promise<Answered>)[]): SteadyLoad {
  const sent: Sent[] = [];
  const running = new Set<Promise<void>>();
  let count = 0;

  async function send(kind: () => Promise<Answered>): Promise<void> {
    const at = performance.now();
    const answer = await kind().catch(() => null);
    const reference = /ref=(\w+)/.exec(answer?.headers.get('location') ?? '')?.[1] ?? null;
    const retryAfter = answer?.headers.has('retry-after') ?? false;
    sent.push({ status: answer?.status ?? 0, ms: performance.now() - at, at, reference, retryAfter });
  }

  const timer = setInterval(() => {
    const kind = kinds[count % kinds.length];
    count += 1;
    if (!kind) return;
    const one = send(kind).finally(() => running.delete(one));
    running.add(one);
  }, 1_000 / perSecond);
  return {
    sent,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return sent;
    },
  };
}

type Stored = NewRawEvent & { pos: string; stream: string; revision: number };

/**
 * Changes the data of a stream's events as the operator with every key could who also writes the tables: all hashes and
 * MACs of the stream are computed anew. `admin` is the database's owner.
 */
export async function rewriteStream(
  admin: Pick<Pool, 'query'>,
  stream: string,
  macKey: Buffer,
  change: (event: Stored) => JsonObject,
): Promise<void> {
  const { rows } = await admin.query<Stored>(
    `select pos::text, stream, revision, id, type, schema,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, data, meta as metadata
    from event_store.events where stream = $1 order by revision`,
    [stream],
  );
  await admin.query("set session_replication_role = 'replica'");
  let previous: string | null = null;
  for (const row of rows) {
    const { pos, ...event } = row;
    const { hash: _, mac: __, ...metadata } = event.metadata;
    const data = change(row);
    previous = chainHash(previous, { ...event, data, metadata });
    const mac = macOf(macKey, Buffer.from(previous, 'hex'));
    await admin.query('update event_store.events set data = $2, meta = $3 where pos = $1', [
      ...[pos, data, { ...metadata, hash: previous, mac }],
    ]);
  }
}

const keyOf = (name: string) => createHash('sha256').update(`${name} of a test`).digest();
export const backupKeys = { data: keyOf('DATA_KEY'), claim: keyOf('CLAIM_KEY') };
export const logKey = keyOf('LOG_KEY');

export type BackupStage = Awaited<ReturnType<typeof openBackupStage>>;

/** A log with a folder that its backup goes to, a clock that the test moves, and the keys of both. `close` removes all. */
export async function openBackupStage() {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const folder = tempFolder('backup');
  const database = await testDatabase();
  const { pool, url: connectionString } = database;
  const store = createEmbeddedEventStore({ pool, connectionString, dataKey: backupKeys.data });
  const log = openEmbeddedLog({ pool, connectionString });
  const target = folderTarget(join(folder.path, 'target'));
  let now = Date.parse('2026-11-23T00:00:00.000Z');
  const sources: BackupSources = {
    ...{ target, recipient, pool, logKey, keys: backupKeys },
    log: { ...log, kind: 'embedded' },
    files: localFiles(join(folder.path, 'files')),
    ledger: join(folder.path, 'erasures.log'),
    checkpoints: () => checkpointFile(join(folder.path, 'checkpoints.txt')).recent(20),
    now: () => new Date(now),
  };
  return {
    ...{ identity, recipient, folder: folder.path, database, store, target, sources },
    backup: createBackup(sources),
    reader: objectReader(target, identity),
    /** Moves the clock. */
    pass(minutes: number): void {
      now += minutes * 60_000;
    },
    /** Appends so many events to a stream, a new one unless given. */
    async seed(amount: number, stream: StreamName = newJobStream()): Promise<StreamName> {
      const events = Array.from({ length: amount }, (_, n) => notes(stream, n));
      await store.append(stream, 'no-stream', events, cause);
      return stream;
    },
    async close(): Promise<void> {
      await Promise.all([store.close(), log.close()]);
      await database.close();
      folder.remove();
    },
  };
}
