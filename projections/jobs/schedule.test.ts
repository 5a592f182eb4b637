import { describe, expect, test } from 'vitest';
import { dayWindow, scheduleDays } from './schedule.ts';

const hours = (now: string, timeZone: string) => {
  const { from, to } = dayWindow(new Date(now), timeZone);
  return (to.getTime() - from.getTime()) / 3_600_000;
};

test.each([
  ['Melbourne goes back', '2027-04-03T20:00:00Z', 'Australia/Melbourne', 25],
  ['Melbourne goes forward', '2026-10-03T20:00:00Z', 'Australia/Melbourne', 23],
  ['Auckland goes back', '2027-04-03T13:00:00Z', 'Pacific/Auckland', 25],
  ['Lord Howe shifts by half an hour', '2027-04-03T14:00:00Z', 'Australia/Lord_Howe', 24.5],
  ['Chatham', '2027-04-03T12:00:00Z', 'Pacific/Chatham', 25],
  ['Brisbane never changes', '2027-04-03T20:00:00Z', 'Australia/Brisbane', 24],
])('%s: today is as long as its zone makes it', (_, now, zone, expected) => {
  expect(hours(now, zone)).toBe(expected);
});

test('the instants at both sides of a midnight belong to different days', () => {
  const midnight = Date.parse('2026-11-16T13:00:00Z');
  const [before, after] = [midnight - 1, midnight].map((at) =>
    dayWindow(new Date(at), 'Australia/Melbourne'),
  );
  expect(before?.to).toEqual(after?.from);
  expect(after?.from.getTime()).toBe(midnight);
});

test('the schedule is 180 days, from 90 days before today, in every zone, all year round', () => {
  for (const zone of ['Australia/Melbourne', 'Pacific/Chatham', 'Australia/Lord_Howe', 'Pacific/Auckland']) {
    for (let month = 1; month <= 12; month++) {
      const now = new Date(Date.UTC(2027, month - 1, 15, 11));
      const { from, to } = dayWindow(now, zone, scheduleDays);
      const [first, end] = [from, to].map((date) =>
        date.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate(),
      ) as [Temporal.PlainDate, Temporal.PlainDate];
      const today = now.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate();
      expect(first.until(today, { largestUnit: 'days' }).days).toBe(90);
      expect(first.until(end, { largestUnit: 'days' }).days).toBe(180);
    }
  }
});

/** The calendar day of an instant as a wall in that zone shows it. */
const dayOn = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(instant);

describe.each([
  ['Lord Howe goes back half an hour', '2027-04-03T15:00:00Z', 'Australia/Lord_Howe', -30],
  ['Lord Howe goes forward half an hour', '2027-10-02T15:30:00Z', 'Australia/Lord_Howe', 30],
  ['Melbourne goes back', '2027-04-03T16:00:00Z', 'Australia/Melbourne', -60],
  ['Auckland goes back', '2027-04-03T14:00:00Z', 'Pacific/Auckland', -60],
  ['Auckland goes forward', '2027-09-25T14:00:00Z', 'Pacific/Auckland', 60],
  ['Chatham goes back', '2027-04-03T14:00:00Z', 'Pacific/Chatham', -60],
  ['Brisbane has nothing to change', '2027-04-03T16:00:00Z', 'Australia/Brisbane', 0],
])('as %s', (_, edge, zone, shift) => {
  const at = Date.parse(edge);
  const offset = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;

  test.each([-60_000, 0, 60_000])(
    '%i ms from it, today and the 180 days are those of the calendar',
    (away) => {
      expect(offset(at) - offset(at - 1)).toBe(shift);
      const now = at + away;
      const today = dayWindow(new Date(now), zone);
      const [from, to] = [today.from.getTime(), today.to.getTime()];
      expect([from, to - 1].map((instant) => dayOn(instant, zone))).toEqual([
        dayOn(now, zone),
        dayOn(now, zone),
      ]);
      expect(dayOn(from - 1, zone)).not.toBe(dayOn(now, zone));
      expect(dayOn(to, zone)).not.toBe(dayOn(now, zone));

      const schedule = dayWindow(new Date(now), zone, scheduleDays);
      const days = new Set<string>();
      for (let hour = schedule.from.getTime(); hour < schedule.to.getTime(); hour += 3_600_000) {
        days.add(dayOn(hour, zone));
      }
      expect(days.size).toBe(180);
    },
  );
});
