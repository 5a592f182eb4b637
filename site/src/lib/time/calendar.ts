/** A day of the calendar as `2026-01-05`: sorts by time, and is the same day in every time zone. */
export type Day = string;
/** A month as `2026-01`. */
export type Month = string;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The heads of a week's columns, from Monday. */
export const weekdayNames: readonly string[] = weekdays;

const dayLength = 86_400_000;
const asUtc = (day: Day) => new Date(`${day}T00:00:00Z`);
const asDay = (date: Date): Day => date.toISOString().slice(0, 10);

/** Whether a value is a day of the calendar. */
export function isDay(value: unknown): value is Day {
  const isWritten = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  return isWritten && !Number.isNaN(asUtc(value).getTime()) && asDay(asUtc(value)) === value;
}

export function addDays(day: Day, count: number): Day {
  return asDay(new Date(asUtc(day).getTime() + count * dayLength));
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

export function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(asDay(new Date(Date.UTC(year, number - 1 + count))));
}

/** The same date in another month, or that month's last day where it is shorter. */
export function dayInMonth(day: Day, month: Month): Day {
  const wanted = `${month}${day.slice(7)}`;
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  return wanted < last ? wanted : last;
}

/** How many days after Monday. */
export function weekdayOf(day: Day): number {
  return (asUtc(day).getUTCDay() + 6) % 7;
}

/** The seven days of a day's week, from Monday. */
export function weekOf(day: Day): Day[] {
  const monday = addDays(day, -weekdayOf(day));
  return Array.from({ length: 7 }, (_, place) => addDays(monday, place));
}

/** A month as its weeks, Monday first; null where a week reaches into another month. */
export function weeksOf(month: Month): (Day | null)[][] {
  const first = `${month}-01`;
  const weeks: (Day | null)[][] = [];
  for (
    let monday = addDays(first, -weekdayOf(first));
    monthOf(monday) <= month;
    monday = addDays(monday, 7)
  ) {
    weeks.push(weekOf(monday).map((day) => (monthOf(day) === month ? day : null)));
  }
  return weeks;
}

/**
 * The day that a key of a calendar leads to from another: arrows, Home and End of the week, PageUp and PageDown by months,
 * with Shift by years. Null for a key that is not the calendar's.
 */
export function dayByKey(
  { key, shiftKey }: Readonly<{ key: string; shiftKey: boolean }>,
  from: Day,
): Day | null {
  const inMonths = (count: number) =>
    dayInMonth(from, addMonths(monthOf(from), shiftKey ? count * 12 : count));
  switch (key) {
    case 'ArrowLeft':
      return addDays(from, -1);
    case 'ArrowRight':
      return addDays(from, 1);
    case 'ArrowUp':
      return addDays(from, -7);
    case 'ArrowDown':
      return addDays(from, 7);
    case 'Home':
      return addDays(from, -weekdayOf(from));
    case 'End':
      return addDays(from, 6 - weekdayOf(from));
    case 'PageUp':
      return inMonths(-1);
    case 'PageDown':
      return inMonths(1);
    default:
      return null;
  }
}

/** `January 2026` */
export function monthTitle(month: Month): string {
  return `${months[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** `Tuesday 6 January 2026`, for screen readers. */
export function spokenDay(day: Day): string {
  return `${weekdays[weekdayOf(day)]} ${Number(day.slice(8))} ${monthTitle(monthOf(day))}`;
}
