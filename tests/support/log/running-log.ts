import { randomBytes } from 'node:crypto';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { type AppendResult, type EventStore, type Position, START } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { TestDatabase } from '#tests/support/app/database.ts';
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
