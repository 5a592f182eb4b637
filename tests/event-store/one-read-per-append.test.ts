import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import {
  countStatements,
  type StatementCount,
  type TestDatabase,
  testDatabase,
} from '#tests/support/app/database.ts';
import { cause, newJobStream, notes } from './samples.ts';
import { follow } from './subscriber.ts';

type Store = ReturnType<typeof createEmbeddedEventStore>;

let database: TestDatabase;
let count: StatementCount;
let own: Store;
let other: Store;

beforeAll(async () => {
  count = countStatements();
  database = await testDatabase();
  const options = { pool: database.pool, connectionString: database.url, dataKey: randomBytes(32) };
  [own, other] = [createEmbeddedEventStore(options), createEmbeddedEventStore(options)];
});
afterAll(async () => {
  await Promise.all([own?.close(), other?.close()]);
  await database?.close();
  count?.stop();
});

test.for([
  ['its own process', () => own],
  ['another process', () => other],
] as const)('a reader reads once for an append of %s', async ([, store]) => {
  const reader = follow(own, await own.head());
  await reader.until(({ caughtUp }) => caughtUp !== null);
  const asked = await count.of(
    2,
    async () => undefined,
    async () => {
      const stream = newJobStream();
      const { position } = await store().append(stream, 'no-stream', [notes(stream, 1)], cause);
      await reader.until(({ caughtUp }) => caughtUp === position);
    },
  );
  expect(asked.filter((text) => text.includes('pos > $1'))).toHaveLength(1);
  await reader.stop();
});
