import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dayKey,
  dayKind,
  formatAge,
  formatDateTime,
  formatDay,
  formatLongDay,
  formatMoment,
  formatTime,
  instantAt,
} from './moments.ts';
import { withoutTemporal } from './without-temporal.fixture.ts';

const melbourne = 'Australia/Melbourne';
const auckland = 'Pacific/Auckland';

describe('times read in the business’s zone', () => {
  test('9:30AM on Mon 05 Jan in Melbourne is 11:30AM in Auckland', () => {
    const instant = '2026-01-04T22:30:00.000Z';
    expect(formatTime(instant, melbourne)).toBe('9:30AM');
    expect(formatDay(instant, melbourne)).toBe('Mon 05 Jan');
    expect(formatLongDay(instant, melbourne)).toBe('Monday, 05 Jan');
    expect(formatTime(instant, auckland)).toBe('11:30AM');
  });

  test('noon and midnight are 12, with the right half of the day', () => {
    expect(formatTime('2026-01-05T01:00:00Z', melbourne)).toBe('12:00PM');
    expect(formatTime('2026-01-04T13:05:00Z', melbourne)).toBe('12:05AM');
  });

  test('the day changes at the zone’s midnight, not at UTC’s', () => {
    expect(dayKey('2026-01-04T12:59:00Z', melbourne)).toBe('2026-01-04');
    expect(dayKey('2026-01-04T13:00:00Z', melbourne)).toBe('2026-01-05');
  });

  test('both sides of the end of daylight saving have the same wall time', () => {
    expect(formatTime('2026-04-04T15:30:00Z', melbourne)).toBe('2:30AM');
    expect(formatTime('2026-04-04T16:30:00Z', melbourne)).toBe('2:30AM');
    expect(formatTime('2026-04-04T17:30:00Z', melbourne)).toBe('3:30AM');
  });
});

describe('the kind of day', () => {
  const now = new Date('2026-01-04T22:30:00Z');

  test('is today for any time of the same day', () => {
    expect(dayKind('2026-01-05T12:00:00Z', melbourne, now)).toBe('today');
  });

  test('is weekend on Saturday and Sunday of the zone', () => {
    expect(dayKind('2026-01-09T21:30:00Z', melbourne, now)).toBe('weekend');
    expect(dayKind('2026-01-09T10:00:00Z', melbourne, now)).toBe('other');
  });

  test('is today even when today is a Sunday', () => {
    const sunday = new Date('2026-01-10T22:00:00Z');
    expect(dayKind(sunday, melbourne, sunday)).toBe('today');
  });
});

test.each([
  ['2026-01-05T09:05:20+11:00', 'Just now'],
  ['2026-01-05T09:05:40+11:00', 'Just now'],
  ['2026-01-05T08:40:00+11:00', '25 min ago'],
  ['2026-01-05T08:05:30+11:00', '1 h ago'],
  ['2026-01-05T00:05:00+11:00', '9 h ago'],
  ['2026-01-04T23:59:00+11:00', 'Yesterday'],
  ['2026-01-04T00:00:00+11:00', 'Yesterday'],
  ['2026-01-02T12:00:00+11:00', 'Fri 02 Jan'],
  ['2025-12-31T23:59:00+11:00', 'Wed 31 Dec 2025'],
])('at 9:05AM on Mon 05 Jan, %s is %s', (at, words) => {
  expect(formatAge(at, 'Australia/Melbourne', new Date('2026-01-05T09:05:30+11:00'))).toBe(words);
});

test('what came in shortly before midnight is hours old, not of yesterday', () => {
  const now = new Date('2026-01-05T01:00:00+11:00');
  expect(formatAge('2026-01-04T22:30:00+11:00', 'Australia/Melbourne', now)).toBe('2 h ago');
});

test.each([
  ['2026-11-23T02:30:00Z', 'Mon 23 Nov, 1:30PM', 'Today, 1:30PM'],
  ['2026-11-24T23:00:00Z', 'Wed 25 Nov, 10:00AM', 'Wed 25 Nov, 10:00AM'],
  // Of another year in Melbourne, and still of this one in UTC.
  ['2026-12-31T13:30:00Z', 'Fri 01 Jan 2027, 12:30AM', 'Fri 01 Jan 2027, 12:30AM'],
])('on Mon 23 Nov 2026, %s is %s, near by %s', (at, moment, near) => {
  const now = new Date('2026-11-23T02:00:00Z');
  const melbourne = 'Australia/Melbourne';
  expect([formatDateTime(at, melbourne, now), formatMoment(at, melbourne, now)]).toEqual([moment, near]);
});

const zones = [
  ...['Australia/Melbourne', 'Australia/Brisbane', 'Australia/Adelaide', 'Australia/Perth'],
  ...['Australia/Lord_Howe', 'Australia/Eucla', 'Pacific/Auckland', 'Pacific/Chatham'],
];
const two = (value: number) => String(value).padStart(2, '0');

test('agrees with Temporal on every time of every day, in every zone of both countries', () => {
  const anyTime = fc.record({
    zone: fc.constantFrom(...zones),
    day: fc.date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true }),
    hour: fc.nat(23),
    minute: fc.nat(59),
  });
  fc.assert(
    fc.property(anyTime, ({ zone, day, hour, minute }) => {
      const [date, time] = [day.toISOString().slice(0, 10), `${two(hour)}:${two(minute)}`];
      const wall = Temporal.PlainDateTime.from(`${date}T${time}`);
      const both = (['earlier', 'later'] as const).map(
        (disambiguation) => wall.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
      );
      const read = () => instantAt(date, time, zone)?.getTime() ?? null;
      const isSkipped = !wall.toZonedDateTime(zone).toPlainDateTime().equals(wall);
      for (const instant of [read(), withoutTemporal(read)]) {
        expect(isSkipped ? [null] : both).toContain(instant);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['2026-04-05', '08:00', 'Australia/Melbourne', '2026-04-04T22:00:00.000Z'],
  ['2026-10-04', '08:00', 'Australia/Melbourne', '2026-10-03T21:00:00.000Z'],
  ['2026-10-04', '08:00', 'Australia/Lord_Howe', '2026-10-03T21:00:00.000Z'],
  ['2026-09-27', '08:00', 'Pacific/Auckland', '2026-09-26T19:00:00.000Z'],
  ['2026-09-27', '08:00', 'Pacific/Chatham', '2026-09-26T18:15:00.000Z'],
])('%s %s in %s, the day on which the clocks change', (day, time, zone, instant) => {
  expect(instantAt(day, time, zone)?.toISOString()).toBe(instant);
});

test('an hour that the clocks skip is none', () => {
  expect(instantAt('2026-10-04', '02:30', 'Australia/Melbourne')).toBeNull();
});

test('a day without an hour is shown without one, in either half of the year', () => {
  const now = new Date('2026-01-06T00:00:00.000Z');
  for (const midnight of ['2026-01-04T13:00:00.000Z', '2026-07-04T14:00:00.000Z']) {
    expect(formatTime(midnight, 'Australia/Melbourne')).toBe('Any time');
    expect(formatDateTime(midnight, 'Australia/Melbourne', now)).toMatch(/^(Mon 05 Jan|Sun 05 Jul)$/);
    expect(formatMoment(midnight, 'Australia/Melbourne', new Date(midnight))).toBe('Today');
  }
  expect(formatTime('2026-01-04T13:00:00.001Z', 'Australia/Melbourne')).toBe('12:00AM');
  expect(formatDateTime('2026-01-04T13:01:00.000Z', 'Australia/Melbourne', now)).toBe('Mon 05 Jan, 12:01AM');
});
