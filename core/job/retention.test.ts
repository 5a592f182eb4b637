import { expect, test } from 'vitest';
import { isRetentionPeriod } from '#core/values/stored-details.ts';
import { retainedUntil, retentionEnd, retentionRule } from './retention.ts';

test.each([
  ['never-accepted', '2027-03-15T04:05:06.000Z', '2026-03-15T04:05:06.000Z'],
  ['worked-on', '2033-03-15T04:05:06.000Z', '2026-03-15T04:05:06.000Z'],
  ['never-accepted', '2028-02-29T23:59:59.000Z', '2027-02-28T23:59:59.000Z'],
  ['worked-on', '2027-12-31T00:00:00.000Z', '2020-12-31T00:00:00.000Z'],
] as const)('%s: on %s it is over for what was last changed before %s', (rule, now, end) => {
  expect(retentionEnd(rule, new Date(now), 7).toISOString()).toBe(end);
});

test.each([
  ['never-accepted', '2026-03-15T04:05:06.000Z', '2027-03-15T04:05:06.000Z'],
  ['worked-on', '2026-03-15T04:05:06.000Z', '2033-03-15T04:05:06.000Z'],
  ['never-accepted', '2028-02-29T23:59:59.000Z', '2029-02-28T23:59:59.000Z'],
] as const)('%s: what was last changed on %s is stored until %s', (rule, last, until) => {
  expect(retainedUntil(rule, new Date(last), 7).toISOString()).toBe(until);
});

test.each([
  ['Pending', 'never-accepted'],
  ['Rejected', 'never-accepted'],
  ['To quote', 'worked-on'],
  ['Paid', 'worked-on'],
  ['Unsuccessful', 'worked-on'],
] as const)('a job that is %s falls under %s', (status, rule) => {
  expect(retentionRule(status)).toBe(rule);
});

test('a business chooses how long the details of worked on jobs are stored, and of no others', () => {
  const last = new Date('2026-03-15T04:05:06.000Z');
  expect(retainedUntil('worked-on', last, 5).toISOString()).toBe('2031-03-15T04:05:06.000Z');
  expect(retainedUntil('never-accepted', last, 10).toISOString()).toBe('2027-03-15T04:05:06.000Z');
  expect([4, 5, 7.5, 10, 11, Number.NaN].filter(isRetentionPeriod)).toEqual([5, 10]);
});
