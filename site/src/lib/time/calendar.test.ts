import { expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  dayInMonth,
  monthTitle,
  spokenDay,
  weekdayOf,
  weekOf,
  weeksOf,
} from './calendar.ts';

test('days and months are counted over the ends of months and years', () => {
  expect([addDays('2026-12-31', 1), addDays('2028-03-01', -1), addDays('2026-04-05', 7)]).toEqual([
    ...['2027-01-01', '2028-02-29', '2026-04-12'],
  ]);
  expect([addMonths('2026-12', 1), addMonths('2026-01', -1), addMonths('2026-05', 24)]).toEqual([
    ...['2027-01', '2025-12', '2028-05'],
  ]);
});

test('a date that a month does not have is its last day', () => {
  expect(dayInMonth('2026-01-31', '2026-02')).toBe('2026-02-28');
  expect(dayInMonth('2026-01-15', '2026-02')).toBe('2026-02-15');
});

test('weeks begin on Monday and hold the days of their month alone', () => {
  const weeks = weeksOf('2026-01');
  expect(weeks).toHaveLength(5);
  expect(weeks[0]).toEqual([null, null, null, '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']);
  expect(weeks[4]?.[5]).toBe('2026-01-31');
  expect(weeksOf('2027-02').flat()).toHaveLength(28);
  for (let month = '2026-01'; month < '2032-01'; month = addMonths(month, 1)) {
    const days = weeksOf(month)
      .flat()
      .filter((day) => day !== null);
    expect(days[0]).toBe(`${month}-01`);
    expect(addDays(days.at(-1) ?? '', 1)).toBe(`${addMonths(month, 1)}-01`);
    for (const week of weeksOf(month)) {
      for (const [place, day] of week.entries()) expect(day === null || weekdayOf(day) === place).toBe(true);
    }
  }
});

test('the week of a day is whole where it reaches into another month', () => {
  const week = weekOf('2026-01-01');
  expect(week).toEqual([
    ...['2025-12-29', '2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'],
  ]);
  expect([weekOf('2025-12-29'), weekOf('2026-01-04')]).toEqual([week, week]);
});

test('reads as people write it', () => {
  expect([monthTitle('2026-01'), spokenDay('2026-01-06')]).toEqual([
    ...['January 2026', 'Tuesday 6 January 2026'],
  ]);
});
