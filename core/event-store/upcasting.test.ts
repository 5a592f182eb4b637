import { type } from 'arktype';
import { expect, test } from 'vitest';
import type { EventVersion } from './schemas/event-version.ts';
import { UnreadableError, upcast } from './upcasting.ts';

const versions = [
  {
    schema: type({ name: 'string' }).onDeepUndeclaredKey('reject'),
    upcast: ({ name }: { name: string }) => ({ first: name.split(' ')[0], last: name.split(' ')[1] ?? '' }),
  },
  {
    schema: type({ first: 'string', last: 'string' }).onDeepUndeclaredKey('reject'),
    upcast: (data: { first: string; last: string }) => ({ ...data, title: null }),
  },
  { schema: type({ first: 'string', last: 'string', title: 'string | null' }).onDeepUndeclaredKey('reject') },
] as unknown as readonly EventVersion[];

test('the oldest version goes through every step', () => {
  expect(upcast(versions, 1, { name: 'Sam Okafor' })).toEqual({ first: 'Sam', last: 'Okafor', title: null });
});

test('the newest version stays as it is', () => {
  const data = { first: 'Sam', last: 'Okafor', title: 'Dr' };
  expect(upcast(versions, 3, data)).toEqual(data);
});

test.each([
  [0, {}],
  [4, {}],
  [1, { name: 7 }],
  [3, { first: 'Sam', last: 'Okafor' }],
  [3, { first: 'Sam', last: 'Okafor', title: null, extra: 1 }],
])('version %i with %j cannot be read', (number, data) => {
  expect(() => upcast(versions, number, data)).toThrow(UnreadableError);
});

test('a version without a way on cannot be read', () => {
  const stuck = versions.map(({ schema }) => ({ schema }));
  expect(() => upcast(stuck, 1, { name: 'Sam Okafor' })).toThrow(UnreadableError);
});
