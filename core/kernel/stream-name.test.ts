import fc from 'fast-check';
import { expect, test } from 'vitest';
import { categories, parseStreamName, streamName } from './stream-name.ts';

test('a stream is named by its kind and its id, and taken apart again', () => {
  expect(streamName('job', '0198c0de-0000-7000-8000-000000000001')).toBe(
    'job-0198c0de-0000-7000-8000-000000000001',
  );
  fc.assert(
    fc.property(fc.constantFrom(...categories), fc.uuid(), (category, id) => {
      expect(parseStreamName(streamName(category, id))).toEqual({ category, id });
    }),
  );
});

test.each(['', '-', 'a b', 'a/b', 'ā', 'dave@acme.example', 'x'.repeat(101), '\0'])('%j is no id', (id) => {
  expect(() => streamName('job', id)).toThrow(RangeError);
});

test.each(['', 'job', 'job-', 'jobs-1', '-1', '$ce-job', 'Job-1', 'job-a b'])(
  '%j is no stream of ours',
  (name) => {
    expect(() => parseStreamName(name)).toThrow(RangeError);
  },
);

test('no kind has a dash, so the kind ends at the first one', () => {
  for (const category of categories) expect(category).not.toContain('-');
});
