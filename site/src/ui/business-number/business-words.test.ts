import { expect, test } from 'vitest';
import { businessFieldWords, formatBusinessNumber, listWords } from './business-words.ts';

test('the label depends on the country', () => {
  expect(businessFieldWords('au')).toEqual({ label: 'ABN number', placeholder: 'Enter ABN number or name' });
  expect(businessFieldWords('nz').label).toBe('NZBN number');
});

test('numbers read as people write them', () => {
  expect(formatBusinessNumber('51824753556')).toBe('51 824 753 556');
  expect(formatBusinessNumber('9429033362823')).toBe('9429033362823');
});

test('the list shows what it waits for: an empty or short search shows the placeholder', () => {
  const placeholder = 'Enter ABN number or name';
  const words = (businesses: Parameters<typeof listWords>[0]['businesses'], isPending = false) =>
    listWords({ businesses, isPending, placeholder }).note;
  expect(words(null)).toBe(placeholder);
  expect(words(null, true)).toBe('Please wait...');
  expect(words({ text: 'ban', found: [], hasFailed: false })).toBe('No business found');
  expect(words({ text: 'ban', found: [], hasFailed: true })).toMatch(/does not answer/);
});
