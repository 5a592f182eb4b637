import type { Day } from './calendar.ts';
import { wallTime } from './moments.ts';

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
