import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventStoreUnavailableError, WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { testDatabase } from '#tests/support/app/database.ts';

let api: TestApp;
let dave: SignedIn;
let failure: Error | undefined;

const failing = (store: EventStore): EventStore => ({
  ...store,
  readStream: (...args) => (failure ? Promise.reject(failure) : store.readStream(...args)),
});

beforeAll(async () => {
  api = await testApp({ store: failing });
  dave = await api.signIn();
});
afterAll(() => api?.close());

const accept = () => dave.put('/api/jobs/0198c0de-0000-7000-8000-000000000001/accept');

test('while the event store is unavailable writes are 503 and say when to come back; reads go on', async () => {
  failure = new EventStoreUnavailableError('away');
  const write = await accept();
  const read = await dave.get('/api/jobs/count');
  failure = undefined;
  expect(write.status).toBe(503);
  expect(write.headers.get('retry-after')).toBe('5');
  expect(write.body).toMatchObject({ status: 'error', ref: expect.any(String) });
  expect(read.status).toBe(200);
  expect((await accept()).status).toBe(404);
});

test('a stream that keeps moving is 409', async () => {
  failure = new WrongExpectedRevisionError('job-1', 0, 1);
  const { status, text } = await accept();
  failure = undefined;
  expect(status).toBe(409);
  expect(text).not.toContain('job-1');
});

test('anything unforeseen is 500 without its text', async () => {
  failure = new Error('marker of an exception');
  const { status, body } = await accept();
  failure = undefined;
  expect(status).toBe(500);
  expect(body).toEqual({
    status: 'error',
    code: 'failure',
    message: 'An error has occurred, please try again later',
    ref: expect.any(String),
  });
});

test('while the database is unavailable everything is 503, and fine once it is back', async () => {
  const gone = await testDatabase();
  await gone.close();
  const query = api.deps.db.query;
  api.deps.db.query = gone.pool.query.bind(gone.pool) as typeof query;
  const unavailable = await dave.get('/api/jobs/count');
  api.deps.db.query = query;
  expect(unavailable.status).toBe(503);
  expect(unavailable.headers.get('retry-after')).toBe('5');
  expect((await dave.get('/api/jobs/count')).status).toBe(200);
});
