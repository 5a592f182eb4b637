import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJobReference, jobReference } from './job-reference.ts';

test('a reference is six characters that nobody mishears for others', () => {
  expect(jobReference('0198c0de-0000-7000-8000-000000000000')).toBe('000000');
  expect(jobReference('0198c0de-0000-7000-8000-00003fffffff')).toBe('ZZZZZZ');
  fc.assert(fc.property(fc.uuid(), (id) => isJobReference(jobReference(id))));
});

test('jobs of one moment have references of their own', () => {
  const references = new Set(Array.from({ length: 200 }, () => jobReference(crypto.randomUUID())));
  expect(references.size).toBeGreaterThan(195);
});

test('anything else is no reference', () => {
  for (const text of ['', 'ABCDE', 'ABCDEFG', 'abcdef', 'ABCDEI', '<b>abc'])
    expect(isJobReference(text)).toBe(false);
});
