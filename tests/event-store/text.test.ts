import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { UnstorableEventError } from '#core/event-store/errors.ts';
import { isWellFormed } from '#core/values/text.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { cause, newJobStream, notes } from './samples.ts';

let database: TestDatabase;
let store: ReturnType<typeof createEmbeddedEventStore>;
beforeAll(async () => {
  database = await testDatabase();
  store = createEmbeddedEventStore({ ...database, connectionString: database.url, dataKey: randomBytes(32) });
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});

const unit = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.constantFrom('\0', '\ud800', '\udfff', '\ud83d', '\ude00', '\u0001', '\u007f') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('\u202e', '\ufeff', '\uffff', '\u2028', 'e\u0301', '👩🏽‍🔧', '\\u0000'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', '=cmd', "';--", '<script>', '{"', '\r\n', '%00', '$1'),
  },
);

test('a text is either refused, or comes back from Postgres byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 30 }), async (text) => {
      const stream = newJobStream();
      const append = store.append(stream, 'no-stream', [notes(stream, 0, text)], cause);
      if (isWellFormed(text)) {
        await append;
        const [recorded] = await store.readStream(stream);
        expect(recorded?.event?.data).toMatchObject({ notes: text });
        await database.pool.query('select $1::text, $2::jsonb', [text, JSON.stringify({ [text]: text })]);
      } else {
        await expect(append).rejects.toThrow(UnstorableEventError);
        expect(await store.readStream(stream)).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});
