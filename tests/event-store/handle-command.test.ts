import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import {
  EventStoreUnavailableError,
  UnreadableEventError,
  WrongExpectedRevisionError,
} from '#core/event-store/errors.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { type JobCommand, jobDecider } from '#core/job/job.ts';
import { ConflictError, IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { cause, eventId, samples } from './samples.ts';

let database: TestDatabase;
let store: EventStore & { close(): Promise<void> };
beforeAll(async () => {
  database = await testDatabase();
  store = createEmbeddedEventStore({ ...database, connectionString: database.url, dataKey: randomBytes(32) });
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});

const at = '2026-11-20T02:00:00.000Z';
const businessId = 'b1';

function context(commandId: string = randomUUID(), actor = 'account:a1') {
  return { commandId, actor, correlation: 'request-2' };
}

/** A job as a customer has just sent it. */
async function pendingJob(): Promise<{ stream: StreamName; jobId: string }> {
  const jobId = randomUUID();
  const stream = streamName('job', jobId);
  const event = { ...samples.JobRequested, data: { ...samples.JobRequested.data, jobId } };
  await store.append(stream, 'no-stream', [{ id: eventId(stream, 0), event }], cause);
  return { stream, jobId };
}

const accept = (jobId: string): JobCommand => ({ type: 'AcceptJob', at, data: { jobId, businessId } });
const note = (jobId: string, notes: string): JobCommand => ({
  type: 'ChangeJobNotes',
  at,
  data: { jobId, businessId, notes },
});

describe('a command', () => {
  test('appends what follows and answers the new state and its place', async () => {
    const { stream, jobId } = await pendingJob();
    const handled = await handleCommand(store, jobDecider, stream, accept(jobId), context());
    expect(handled).toMatchObject({ revision: 1, state: { status: 'To quote', revision: 1 } });
    expect(handled.events.map(({ type }) => type)).toEqual(['JobAccepted']);
    const [, accepted] = await store.readStream(stream);
    expect(accepted).toMatchObject({ position: handled.position, metadata: { actor: 'account:a1', at } });
  });

  test('that has nothing to do answers where the stream stands', async () => {
    const { stream, jobId } = await pendingJob();
    const first = await handleCommand(store, jobDecider, stream, accept(jobId), context());
    const again = await handleCommand(store, jobDecider, stream, accept(jobId), context());
    expect(again).toEqual({ ...first, events: [] });
  });

  test('that is refused appends nothing', async () => {
    const { stream, jobId } = await pendingJob();
    const refused: JobCommand = { type: 'ChangeJobStatus', at, data: { jobId, businessId, status: 'Paid' } };
    await expect(handleCommand(store, jobDecider, stream, refused, context())).rejects.toThrow(
      IllegalTransitionError,
    );
    expect(await store.readStream(stream)).toHaveLength(1);
  });

  test('for an unknown stream is the decider’s to refuse', async () => {
    const jobId = randomUUID();
    await expect(
      handleCommand(store, jobDecider, streamName('job', jobId), accept(jobId), context()),
    ).rejects.toThrow(NotFoundError);
  });
});

describe('a command sent again', () => {
  test('answers what it did, though the stream has moved on since', async () => {
    const { stream, jobId } = await pendingJob();
    await handleCommand(store, jobDecider, stream, accept(jobId), context());
    const mine = context();
    const first = await handleCommand(store, jobDecider, stream, note(jobId, 'mine'), mine);
    await handleCommand(store, jobDecider, stream, note(jobId, 'theirs'), context());
    const again = await handleCommand(store, jobDecider, stream, note(jobId, 'mine'), mine);
    expect(again.events).toEqual(first.events);
    expect(again).toMatchObject({ revision: 3, state: { notes: 'theirs' } });
    expect(await store.readStream(stream)).toHaveLength(4);
  });

  test('by another actor is another command, and cannot pass for the first', async () => {
    const { stream, jobId } = await pendingJob();
    const commandId = randomUUID();
    await handleCommand(store, jobDecider, stream, accept(jobId), context(commandId));
    const foreign: JobCommand = { type: 'AcceptJob', at, data: { jobId, businessId: 'b2' } };
    await expect(
      handleCommand(store, jobDecider, stream, foreign, context(commandId, 'account:a2')),
    ).rejects.toThrow(NotFoundError);
  });

  test('ten times at once does it once', async () => {
    const { stream, jobId } = await pendingJob();
    const mine = context();
    const handled = await Promise.all(
      Array.from({ length: 10 }, () => handleCommand(store, jobDecider, stream, accept(jobId), mine)),
    );
    expect(new Set(handled.map(({ revision }) => revision))).toEqual(new Set([1]));
    expect(await store.readStream(stream)).toHaveLength(2);
  });
});

describe('when the stream moves meanwhile', () => {
  test('two accepts at once are one event', async () => {
    const { stream, jobId } = await pendingJob();
    await Promise.all([1, 2].map(() => handleCommand(store, jobDecider, stream, accept(jobId), context())));
    expect(await store.readStream(stream)).toHaveLength(2);
  });

  test('the command is decided again on what happened', async () => {
    const { stream, jobId } = await pendingJob();
    let raced = false;
    const racing: EventStore = {
      ...store,
      async append(...request) {
        if (!raced) {
          raced = true;
          await handleCommand(store, jobDecider, stream, accept(jobId), context());
        }
        return store.append(...request);
      },
    };
    const handled = await handleCommand(racing, jobDecider, stream, accept(jobId), context());
    expect(handled).toMatchObject({ events: [], revision: 1, state: { status: 'To quote' } });
  });

  test('for ever, the command gives up', async () => {
    const { stream, jobId } = await pendingJob();
    let tries = 0;
    const restless: EventStore = {
      ...store,
      async append(name) {
        tries += 1;
        throw new WrongExpectedRevisionError(name, 0, tries);
      },
    };
    await expect(handleCommand(restless, jobDecider, stream, accept(jobId), context())).rejects.toThrow(
      ConflictError,
    );
    expect(tries).toBe(4);
  });
});

describe('when the outcome of the append is unknown', () => {
  const losing = (answers: number): EventStore => ({
    ...store,
    async append(...request) {
      const result = await store.append(...request);
      answers -= 1;
      if (answers < 0) return result;
      throw new EventStoreUnavailableError('the answer was lost');
    },
  });

  test('the same ids once more find out, and nothing is there twice', async () => {
    const { stream, jobId } = await pendingJob();
    const handled = await handleCommand(losing(1), jobDecider, stream, accept(jobId), context());
    expect(handled.revision).toBe(1);
    expect(await store.readStream(stream)).toHaveLength(2);
  });

  test('twice, the caller gets an error and may send the command again', async () => {
    const { stream, jobId } = await pendingJob();
    const mine = context();
    await expect(handleCommand(losing(2), jobDecider, stream, accept(jobId), mine)).rejects.toThrow(
      EventStoreUnavailableError,
    );
    const again = await handleCommand(store, jobDecider, stream, accept(jobId), mine);
    expect(again.events.map(({ type }) => type)).toEqual(['JobAccepted']);
    expect(await store.readStream(stream)).toHaveLength(2);
  });
});

test('a history that cannot be read is not decided on', async () => {
  const { stream, jobId } = await pendingJob();
  await database.pool.query(
    `select event_store.append(array[1], array[$1], array[1], array[gen_random_uuid()], array['JobTeleported'], array[1], array[now()],
      array['{}'::jsonb], array['{}'::jsonb])`,
    [stream],
  );
  const failure = await handleCommand(store, jobDecider, stream, accept(jobId), context()).catch((e) => e);
  expect(failure).toBeInstanceOf(UnreadableEventError);
  expect(failure).toMatchObject({ stream, revision: 1, reason: 'unknown type' });
  expect(await store.readStream(stream)).toHaveLength(2);
});
