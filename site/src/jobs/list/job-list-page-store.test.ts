import { expect, test } from 'vitest';
import { openJobListPage } from './job-list-page-store.ts';
import { $searched, $searchText } from './searched.ts';

const open = (search: string) => {
  openJobListPage('all', new URLSearchParams({ search }));
  return [$searchText.get(), $searched.get()];
};

test.each([
  ['tap', 'tap'],
  ['  leaking \t tap\n', 'leaking tap'],
  ['x'.repeat(101), 'x'.repeat(100)],
  [`${'x'.repeat(99)} tap`, 'x'.repeat(99)],
  [`${'x'.repeat(99)}👷x`, `${'x'.repeat(99)}👷`],
  ['tap\0tap', 'tap tap'],
])('an address asks for %j: %j is searched for, as the API takes it', (typed, wanted) => {
  expect(open(typed)).toEqual([wanted, wanted]);
});

test('an address with fewer than three letters fills the field and searches for nothing', () => {
  expect(open(' ab ')).toEqual(['ab', '']);
});
