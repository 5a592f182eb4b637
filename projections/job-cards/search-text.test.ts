import { expect, test } from 'vitest';
import { contactSearch, searchPatterns } from './search-text.ts';

test('a contact is found by email and by the phone as written abroad and at home', () => {
  expect(contactSearch('aroha@example.co.nz', '+64211234567')).toBe(
    'aroha@example.co.nz\n64211234567\n0211234567',
  );
  expect(contactSearch('', '+61491570156')).toBe('61491570156\n0491570156');
  expect(contactSearch('[erased]', '[erased]')).toBe('[erased]');
});

test('wildcards are text, and what looks like a phone number is also sought by its digits', () => {
  expect(searchPatterns(' 50% off_\\ ')).toEqual(['%50\\% off\\_\\\\%']);
  expect(searchPatterns('0491 570 156')).toEqual(['%0491 570 156%', '%0491570156%']);
  expect(searchPatterns('+61 (0)491')).toEqual(['%+61 (0)491%', '%61491%']);
  expect(searchPatterns('0491')).toEqual(['%0491%']);
  expect(searchPatterns('1 - 2')).toEqual(['%1 - 2%']);
});
