import { expect, test } from 'vitest';
import { type DateOrder, isPlausible, readInstant } from './typed-instant.ts';

const zone = 'Australia/Melbourne';
const midnight = '2025-01-30T13:00:00.000Z';
const nine = '2025-01-30T22:00:00.000Z';

test.each([
  ...['31/01/2025', '31/1/2025', '31/01/25', '31-Jan-2025', '31 Jan 2025', '31 January 2025'],
  ...['Fri 31 Jan 2025', 'Friday, 31 January 2025', 'Friday 31st January, 2025', '31.01.2025', '31-01-2025'],
  ...[
    '45688',
    '2025-01-31',
    '31/01/2025 0:00',
    '31/01/2025 12:00 AM',
    'Jan 31, 2025',
    '31 Jan 25',
    '2025/1/31',
  ],
])('%j is that day', (text) => {
  expect(readInstant(text, 'day-month-year', zone)).toBe(midnight);
});

test.each([
  ...['31/01/2025 9:00 AM', '31/01/2025 9:00 am', '31/01/2025 9:00am', '31/01/2025 9:00\u202fam'],
  ...['31/01/2025, 9:00 a.m.', '31/01/2025 09:00:00', '31/01/2025 9am', '45688.375', '31 Jan 2025 at 9:00'],
  ...['31/01/2025 09:00 +1100', '2025-01-31T09:00', '2025-01-30T22:00:00Z', '2025-01-31 09:00:00.000+11:00'],
])('%j is at nine on that day', (text) => {
  expect(readInstant(text, 'day-month-year', zone)).toBe(nine);
});

test.each<[string, DateOrder, string]>([
  ['3/2/2026', 'day-month-year', '2026-02-02T13:00:00.000Z'],
  ['2/3/2026', 'month-day-year', '2026-02-02T13:00:00.000Z'],
  ['2026-02-03', 'year-month-day', '2026-02-02T13:00:00.000Z'],
  ['26/2/3', 'year-month-day', '2026-02-02T13:00:00.000Z'],
  ['03.02.2026 12:05 am', 'day-month-year', '2026-02-02T13:05:00.000Z'],
  ['3/2/2026, 2:30:10 PM', 'day-month-year', '2026-02-03T03:30:10.000Z'],
  ['2026-02-03T14:30', 'year-month-day', '2026-02-03T03:30:00.000Z'],
])('%s, written %s, is %s', (text, order, instant) => {
  expect(readInstant(text, order, zone)).toBe(instant);
});

test.each([
  ...[
    '',
    'soon',
    '31/02/2026',
    '3/13/2026',
    '29/02/2025',
    '31/01/2025 24:00',
    '31/01/2025 25:00',
    '31/01/2025 9:60',
  ],
  ...[
    '31/01/2025 13:00 pm',
    '31/01/2025 9',
    '31/01/025',
    '31 Jam 2025',
    '31/01/2025 9am tomorrow',
    '31/01',
    '0/1/2025',
  ],
])('%j is no day', (text) => {
  expect(readInstant(text, 'day-month-year', zone)).toBeNull();
});

test('a job is of a day from 1990 to five years from now', () => {
  const now = new Date('2026-11-27T00:00:00.000Z');
  expect(isPlausible('1990-01-01T00:00:00.000Z', now)).toBe(true);
  expect(isPlausible('1989-12-31T23:59:59.000Z', now)).toBe(false);
  expect(isPlausible('2031-11-27T00:00:00.000Z', now)).toBe(true);
  expect(isPlausible('2031-11-28T00:00:00.000Z', now)).toBe(false);
});
