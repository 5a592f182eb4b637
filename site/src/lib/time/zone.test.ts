import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutTemporal } from './without-temporal.fixture.ts';
import { isTimeZone, wallTime } from './zone.ts';

const zones = ['Australia/Melbourne', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Chatham', 'UTC'];

test('clocks show the same with Temporal and without it', () => {
  expect(typeof Temporal).toBe('object');
  const instants = fc.date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
      expect(withoutTemporal(() => wallTime(instant, zone))).toEqual(wallTime(instant, zone));
    }),
  );
});

test('what is no zone and no instant is refused either way', () => {
  for (const read of [<T>(work: () => T) => work(), withoutTemporal]) {
    expect(read(() => zones.map(isTimeZone))).toEqual(zones.map(() => true));
    expect(read(() => ['Nowhere/Land', '', 7, null].map(isTimeZone))).toEqual([false, false, false, false]);
    expect(() => read(() => wallTime('never', 'UTC'))).toThrow(RangeError);
  }
});
