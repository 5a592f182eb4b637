import { expect, test } from 'vitest';
import { earlierVersion, event } from '#core/kernel/event-declaration.ts';
import { UnreadableError, upcast } from './upcasting.ts';

const { versions } = event(
  { first: 'string', last: 'string', title: 'string | null' },
  {
    earlier: [
      earlierVersion(
        { name: 'string' },
        { upcast: ({ name }) => ({ first: name.split(' ')[0], last: name.split(' ')[1] ?? '' }) },
      ),
      earlierVersion({ first: 'string', last: 'string' }, { upcast: (data) => ({ ...data, title: null }) }),
    ],
  },
);

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
