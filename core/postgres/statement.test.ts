import { expect, test } from 'vitest';
import { plannedEachTime, plannedOnce } from './statement.ts';

test('a text has one name, another text another, whatever the values', () => {
  const first = plannedOnce('select $1::int', [1]);
  expect(plannedOnce('select $1::int', [2])).toEqual({ ...first, values: [2] });
  expect(plannedOnce('select $1::int as n', [1]).name).not.toBe(first.name);
  expect(first.name).toMatch(/^ute-\d+$/);
});

test('what is planned each time has no name', () => {
  expect(plannedEachTime('select $1::int', [1])).toEqual({ text: 'select $1::int', values: [1] });
});

test('texts without end do not get names without end', () => {
  const named = Array.from({ length: 2_000 }, (_, n) => plannedOnce(`select ${n}`, [])).filter(
    ({ name }) => name !== undefined,
  );
  expect(named.length).toBeLessThanOrEqual(500);
  expect(plannedOnce('select $1::int', [3]).name).toBeDefined();
});
