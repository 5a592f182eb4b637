import { expect, test } from 'vitest';
import { isJobSlot, jobSlotLabel, jobSlots } from './job-slot.ts';

test('a day has twenty slots of 30 minutes, from 8:00AM to 5:30PM', () => {
  expect(jobSlots).toHaveLength(20);
  expect(jobSlots.slice(0, 3)).toEqual(['08:00', '08:30', '09:00']);
  expect(jobSlotLabel(jobSlots[0] ?? '')).toBe('8:00AM');
  expect(jobSlotLabel(jobSlots.at(-1) ?? '')).toBe('5:30PM');
});

test('noon is afternoon', () => {
  expect(jobSlotLabel('11:30')).toBe('11:30AM');
  expect(jobSlotLabel('12:00')).toBe('12:00PM');
});

test.each(['07:30', '18:00', '8:00', '09:15', '', 9, null])('%j is no slot', (value) => {
  expect(isJobSlot(value)).toBe(false);
});
