import type { Day } from './calendar.ts';
import { wallTime } from './zone.ts';

/** How dates and times read, always in the business's own time zone. From parts: locale strings differ by engine. */

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Today wins over weekend: the tint answers "is it now?" first. */
export type DayKind = 'today' | 'weekend' | 'other';

const minuteLength = 60_000;
const two = (value: number) => String(value).padStart(2, '0');

/** The calendar day as `2026-01-05`: equal exactly for instants of one day in that zone, and sorts by time. */
export function dayKey(instant: string | Date, timeZone: string): string {
  const { year, month, day } = wallTime(instant, timeZone);
  return `${year}-${two(month)}-${two(day)}`;
}

/** Instead of an hour, where none is known: midnight to the millisecond stands for the day alone (decision 158). */
export const anyTime = 'Any time';

/** `9:30AM`, or `anyTime`. */
export function formatTime(instant: string | Date, timeZone: string): string {
  const { hour, minute } = wallTime(instant, timeZone);
  if (hour + minute + (new Date(instant).getTime() % minuteLength) === 0) return anyTime;
  return `${hour % 12 || 12}:${two(minute)}${hour < 12 ? 'AM' : 'PM'}`;
}

/** `Mon 05 Jan` */
export function formatDay(instant: string | Date, timeZone: string): string {
  const { weekday, day, month } = wallTime(instant, timeZone);
  return `${dayNames[weekday]?.slice(0, 3)} ${two(day)} ${monthNames[month - 1]}`;
}

/** `Mon 05 Jan, 9:30AM`; `Wed 31 Dec 2025, 9:30AM` where the year is not this one; `Mon 05 Jan` of a day without an hour. For what stays true tomorrow. */
export function formatDateTime(instant: string | Date, timeZone: string, now: Date): string {
  return withTime(dayOfYear(instant, timeZone, now), instant, timeZone);
}

function withTime(day: string, instant: string | Date, timeZone: string): string {
  const time = formatTime(instant, timeZone);
  return time === anyTime ? day : `${day}, ${time}`;
}

function dayOfYear(instant: string | Date, timeZone: string, now: Date): string {
  const { year } = wallTime(instant, timeZone);
  const day = formatDay(instant, timeZone);
  return year === wallTime(now, timeZone).year ? day : `${day} ${year}`;
}

/** `Monday, 05 Jan` */
export function formatLongDay(instant: string | Date, timeZone: string): string {
  const { weekday, day, month } = wallTime(instant, timeZone);
  return `${dayNames[weekday]}, ${two(day)} ${monthNames[month - 1]}`;
}

/** As `formatDateTime`, but `Today, 2:00PM` on the day itself. */
export function formatMoment(instant: string | Date, timeZone: string, now: Date): string {
  const isToday = dayKey(instant, timeZone) === dayKey(now, timeZone);
  return isToday ? withTime('Today', instant, timeZone) : formatDateTime(instant, timeZone, now);
}

const dayLength = 24 * 60 * minuteLength;

/**
 * How long ago it is: `Just now`, `25 min ago`, `3 h ago` on the same day or within six hours, `Yesterday`, then the day as
 * `Fri 02 Jan`, with the year where that is not this one. What is still to come is `Just now`: clocks differ.
 */
export function formatAge(instant: string | Date, timeZone: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(instant).getTime()) / minuteLength);
  if (minutes < 1) return 'Just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  const day = dayKey(instant, timeZone);
  const today = dayKey(now, timeZone);
  if (day === today || hours < 6) return `${hours} h ago`;
  const isYesterday = Date.parse(today) - Date.parse(day) === dayLength;
  if (isYesterday) return 'Yesterday';
  return dayOfYear(instant, timeZone, now);
}

/** Whether the instant falls on today, a Saturday or Sunday, or another day. */
export function dayKind(instant: string | Date, timeZone: string, now: Date): DayKind {
  if (dayKey(instant, timeZone) === dayKey(now, timeZone)) return 'today';
  return [0, 6].includes(wallTime(instant, timeZone).weekday) ? 'weekend' : 'other';
}

/**
 * The instant at which the clocks of an IANA zone show a day and a time (`HH:MM`); null where they skip it. Of a time
 * that they show twice, one of both.
 */
export function instantAt(day: Day, time: string, timeZone: string): Date | null {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  const near = wanted - offsetAt(wanted, timeZone);
  const instant = wanted - offsetAt(near, timeZone);
  return instant + offsetAt(instant, timeZone) === wanted ? new Date(instant) : null;
}

/** How far the zone's clocks are ahead of UTC at a whole minute, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const { year, month, day, hour, minute } = wallTime(new Date(instant), timeZone);
  return Date.UTC(year, month - 1, day, hour, minute) - instant;
}
