import type { DayCounts, DayRange } from '#site/jobs/schedule-store.ts';
import { addDays, type Day, weekdayOf } from '#site/lib/time/calendar.ts';
import { type DayKind, formatLongDay } from '#site/lib/time/moments.ts';

/** The schedule reaches 180 days, from 90 before today. */
const [daysBefore, daysInAll] = [90, 180];

export function scheduleDays(today: Day): Day[] {
  return Array.from({ length: daysInAll }, (_, place) => addDays(today, place - daysBefore));
}

/** `Today • Monday, 05 Jan`, without the first word on any other day. */
export function dayHeading(day: Day, today: Day): string {
  const name = formatLongDay(`${day}T00:00:00Z`, 'UTC');
  return day === today ? `Today • ${name}` : name;
}

export function dayTint(day: Day, today: Day): DayKind {
  if (day === today) return 'today';
  return weekdayOf(day) >= 5 ? 'weekend' : 'other';
}

export function jobsInWords(count: number): string {
  if (count === 0) return 'No jobs today';
  return count === 1 ? '1 job' : `${count} jobs`;
}

/** The days in ranges of at most `most` jobs each, so that each can be asked for whole; a fuller day is alone. */
export function rangesOf(days: readonly Day[], counts: DayCounts, most: number): DayRange[] {
  const ranges: DayRange[] = [];
  let held = 0;
  for (const day of days) {
    const count = counts[day] ?? 0;
    const last = ranges.at(-1);
    if (last && held + count <= most) {
      ranges[ranges.length - 1] = { from: last.from, to: day };
      held += count;
    } else {
      ranges.push({ from: day, to: day });
      held = count;
    }
  }
  return ranges;
}

/** Where blocks of at most `size` jobs begin. */
export function blockStarts(count: number, size: number): number[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, block) => block * size);
}
