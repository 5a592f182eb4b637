import fc from 'fast-check';
import type { DatabaseError } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { EventStoreUnavailableError, WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { type ExpectedRevision, START } from '#core/event-store/port.ts';
import { createQuery, type Query } from '#core/event-store/query.ts';
import type { NewRawEvent, RawLog } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { logModel } from './log-model.ts';
import { eventId, newJobStream } from './samples.ts';

let database: TestDatabase;
let log: Pick<RawLog, 'append' | 'readAll' | 'readStream' | 'head'>;
/** Groups that went to Postgres since the test began. */
let sent: string[] = [];
/** Runs instead of the next statement. */
let instead: ((statement: Parameters<Query>[0]) => Promise<never>) | undefined;

beforeAll(async () => {
  database = await testDatabase();
  const query = createQuery(database.pool);
  log = createEmbeddedLog(
    (statement) => {
      if (/append\(|insert into/.test(statement.text)) sent.push(statement.text);
      const detour = instead;
      instead = undefined;
      return detour ? detour(statement) : query(statement);
    },
    () => {},
  );
});
afterAll(() => database?.close());
beforeEach(() => {
  sent = [];
  instead = undefined;
});

function event(id: string, note = ''): NewRawEvent {
  const metadata = { actor: 'system', causation: id, correlation: 'test', hash: id.replaceAll('-', '') };
  return {
    ...{ id, type: 'JobNotesChanged', schema: 1, at: '2026-11-20T01:02:03.004Z' },
    ...{ data: { note }, metadata },
  };
}

/** The outcome of an append, in the words of the model. */
async function outcomeOf(append: ReturnType<RawLog['append']>) {
  try {
    return await append;
  } catch (error) {
    if (!(error instanceof WrongExpectedRevisionError)) throw error;
    return { conflict: error.actual };
  }
}

const only = (expected: ExpectedRevision, ...ids: string[]) => ({ expected, ids });

/** Sends appends in one turn of the event loop, so that they make one group. */
function appendTogether(stream: StreamName, appends: readonly ReturnType<typeof only>[]) {
  return Promise.all(
    appends.map(({ expected, ids }) =>
      outcomeOf(
        log.append(
          stream,
          expected,
          ids.map((id) => event(id)),
        ),
      ),
    ),
  );
}

test('appends of one turn go in one round trip, and those to one stream follow each other', async () => {
  const stream = newJobStream();
  const [a, b, c, d] = [0, 1, 2, 3].map((n) => eventId(stream, n)) as [string, string, string, string];
  const head = Number(await log.head());
  const appends = [
    only('no-stream', a),
    only('no-stream', b),
    only(0, c, d),
    only('no-stream', a),
    only(1, b),
  ];
  expect(await appendTogether(stream, appends)).toEqual([
    { revision: 0, position: String(head + 1), fresh: true },
    { conflict: 0 },
    { revision: 2, position: String(head + 3), fresh: true },
    { revision: 0, position: String(head + 1), fresh: false },
    { conflict: 2 },
  ]);
  expect(sent).toHaveLength(1);
});

test('groups of any appends give the outcomes and the log that they give one by one', async () => {
  await fc.assert(
    fc.asyncProperty(groups(), async (rounds) => {
      const streams = [newJobStream(), newJobStream(), newJobStream()] as const;
      const start = await log.head();
      const model = logModel(start);
      for (const round of rounds) {
        const appends = round.map(({ stream, expected, ids }) => ({
          stream: streams[stream] as StreamName,
          expected: expected < 0 ? ('no-stream' as const) : expected,
          // The same few events for all streams: some stand elsewhere in the log by then.
          events: ids.map((n) => event(eventId(streams[0], n))),
        }));
        const answers = await Promise.all(
          appends.map((one) => outcomeOf(log.append(one.stream, one.expected, one.events))),
        );
        expect(answers).toEqual(appends.map((one) => model.append(one.stream, one.expected, one.events)));
      }
      expect(await log.readAll(start, 10_000)).toEqual(model.events());
    }),
    { numRuns: 25 },
  );
}, 120_000);

function groups() {
  const append = fc.record({
    stream: fc.nat(2),
    expected: fc.integer({ min: -1, max: 4 }),
    ids: fc.uniqueArray(fc.nat(14), { minLength: 1, maxLength: 3 }),
  });
  return fc.array(fc.array(append, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
}

test('what Postgres cannot store is refused alone', async () => {
  const [good, bad, taken, after] = [newJobStream(), newJobStream(), newJobStream(), newJobStream()];
  await log.append(taken, 'no-stream', [event(eventId(taken, 0))]);
  const outcomes = await Promise.allSettled([
    log.append(good, 'no-stream', [event(eventId(good, 0))]),
    log.append(bad, 'no-stream', [event(eventId(bad, 0), 'a\0b')]),
    log.append(taken, 0, [event(eventId(taken, 0))]),
    log.append(after, 'no-stream', [event(eventId(after, 0))]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(outcomes[1]).not.toMatchObject({ reason: expect.any(EventStoreUnavailableError) });
  expect(outcomes[2]).toMatchObject({ reason: expect.any(WrongExpectedRevisionError) });
  for (const [stream, amount] of [[good, 1] as const, [bad, 0] as const, [taken, 1] as const]) {
    expect(await log.readStream(stream, 0)).toHaveLength(amount);
  }
});

test('an answer that is lost leaves every append of the group unknown, and the same ids find out', async () => {
  const streams = [newJobStream(), newJobStream(), newJobStream()];
  const append = (stream: StreamName) => log.append(stream, 'no-stream', [event(eventId(stream, 0))]);
  const query = createQuery(database.pool);
  instead = async (statement) => {
    await query(statement);
    throw new EventStoreUnavailableError('the answer was lost');
  };
  const lost = await Promise.allSettled(streams.map(append));
  for (const outcome of lost) {
    expect(outcome).toMatchObject({ reason: expect.any(EventStoreUnavailableError) });
  }
  const again = await Promise.all(streams.map(append));
  expect(again).toEqual(again.map(({ position }) => ({ revision: 0, position, fresh: false })));
});

test('a transaction that never was undoes every append of the group', async () => {
  const streams = [newJobStream(), newJobStream()];
  const append = (stream: StreamName) => log.append(stream, 'no-stream', [event(eventId(stream, 0))]);
  instead = () => Promise.reject(new EventStoreUnavailableError('away'));
  const failed = await Promise.allSettled(streams.map(append));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await Promise.all(streams.map(append))).every(({ fresh }) => fresh)).toBe(true);
});

test.each([1, 3])(
  '%d appends of which the places were taken since their statement began go in after those',
  async (n) => {
    const [other, ...ours] = Array.from({ length: n + 1 }, newJobStream) as [StreamName, ...StreamName[]];
    const append = (stream: StreamName) => log.append(stream, 'no-stream', [event(eventId(stream, 0))]);
    const begun = await database.pool.connect();
    await begun.query('begin isolation level repeatable read');
    await begun.query('select max(pos) from event_store.events');
    const { position } = await append(other);
    const refused: string[] = [];
    instead = async (statement) => {
      try {
        await begun.query({ ...statement, values: [...statement.values] });
        throw new Error('the statement was to see the log as it was');
      } catch (error) {
        refused.push((error as DatabaseError).constraint ?? String(error));
        throw error;
      } finally {
        await begun.query('rollback');
        begun.release();
      }
    };
    expect(await Promise.all(ours.map(append))).toEqual(
      ours.map((_, at) => ({ revision: 0, fresh: true, position: String(Number(position) + 1 + at) })),
    );
    expect(refused).toEqual(['events_pkey']);
  },
);

test('a crowd goes in groups of a bounded size', async () => {
  const streams = Array.from({ length: 150 }, newJobStream);
  await Promise.all(streams.map((stream) => log.append(stream, 'no-stream', [event(eventId(stream, 0))])));
  expect(sent).toHaveLength(3);
  const large = 'x'.repeat(60_000);
  sent = [];
  await Promise.all(
    Array.from({ length: 40 }, newJobStream).map((stream) =>
      log.append(stream, 'no-stream', [event(eventId(stream, 0), large)]),
    ),
  );
  expect(sent).toHaveLength(3);
  expect(await log.readAll(START, 1)).toHaveLength(1);
});
