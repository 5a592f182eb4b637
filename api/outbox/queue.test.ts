import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { queueMessage } from './queue.ts';

/** Says what it was asked to store. */
const stored: unknown[] = [];
const db = { query: async (_sql: string, values: unknown[]) => stored.push(values[4]) } as unknown as Pool;

const queue = (value: string | number | boolean) =>
  queueMessage(db, { id: 'an-id', kind: 'test-mail', data: { value } }, new Date('2026-03-02T09:00:00Z'));

test.each([
  ['an email address', 'dave@acme.example'],
  ['a mobile number', '+61491570156'],
  ['a mobile number as typed', '0491570156'],
  ['a code', '123456'],
  ['a sentence', 'The tap leaks'],
  ['a link', 'https://jobs.example.com/reset-password?t=x'],
])('a message does not carry %s', async (_what, value) => {
  await expect(queue(value)).rejects.toThrow(new TypeError('value is more than an id'));
  expect(stored).toEqual([]);
});

test('a message carries ids, names of ours, instants and numbers', async () => {
  const bare = ['0198c0de-0000-7000-8000-000000000001', 'accepted', '2026-03-02T09:00:00.000Z', 3, false];
  for (const value of bare) await queue(value);
  expect(stored.splice(0)).toEqual(bare.map((value) => ({ value })));
});
