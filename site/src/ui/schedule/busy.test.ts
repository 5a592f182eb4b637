import { expect, test } from 'vitest';
import { type BusyDays, bookingAt, clashInWords, nextFreeSlot, shortName } from './SchedulePicker.tsx';

const timeZone = 'Australia/Melbourne';
/** Mon 05 Jan 2026, 12:10PM in Melbourne. */
const clock = { timeZone, now: new Date('2026-01-05T01:10:00Z') };
const [wei, sal] = [
  { at: '2026-01-06T02:00:00Z', name: 'Wei Cheng', place: null },
  { at: '2026-01-06T02:30:00Z', name: 'Sal Amato', place: 'Preston' },
];
const busy: BusyDays = { '2026-01-06': { count: 2, bookings: [wei, sal] } };

test('a job takes the hour from its time on, on its own day', () => {
  const at = (slot: Parameters<typeof bookingAt>[2], day: string | null = '2026-01-06') =>
    bookingAt(busy, day, slot, timeZone);
  expect([at('12:30'), at('13:00'), at('13:30'), at('14:00'), at('14:30')]).toEqual([
    ...[null, wei, wei, sal, null],
  ]);
  expect([at('13:00', '2026-01-07'), at('13:00', null)]).toEqual([null, null]);
});

test('the next free slot is behind everything that follows at once, and still to come', () => {
  expect(nextFreeSlot(busy, '2026-01-06', '13:00', clock)).toBe('14:30');
  expect(nextFreeSlot({}, '2026-01-05', '08:00', clock)).toBe('12:00');
  expect(nextFreeSlot(busy, '2026-01-06', '17:30', clock)).toBeNull();
});

test.each([
  ['Wei Cheng', 'W. Cheng'],
  ['Aroha', 'Aroha'],
  [' Ana  de la Cruz ', 'A. Cruz'],
])('%s is %s where there is little room', (name, short) => {
  expect(shortName(name)).toBe(short);
});

test('names a clash', () => {
  expect(clashInWords(sal, timeZone)).toBe('Sal Amato in Preston is booked 1:30PM to 2:30PM.');
  expect(clashInWords(wei, timeZone)).toBe('Wei Cheng is booked 1:00PM to 2:00PM.');
});
