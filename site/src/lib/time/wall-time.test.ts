import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantAt } from './wall-time.ts';

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
      const instant = instantAt(date, time, zone)?.getTime() ?? null;
      const isSkipped = !wall.toZonedDateTime(zone).toPlainDateTime().equals(wall);
      expect(isSkipped ? [null] : both).toContain(instant);
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
