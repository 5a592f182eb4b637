import { type JobSlot, jobSlots } from '#core/values/time.ts';
import type { Day } from '#site/lib/time/calendar.ts';
import { formatTime, instantAt } from '#site/lib/time/moments.ts';
import { type Clock, isSlotOpen } from './schedule-choice.ts';

/** What is on the schedule already. `at` is an instant; `place` a suburb, null where none is known. */
export type Booking = Readonly<{ at: string; name: string; place: string | null }>;

/** What is booked on each day in the order of time, and how many jobs a day has: more than are named, where they are many. */
export type BusyDays = Readonly<Record<Day, Readonly<{ count: number; bookings: readonly Booking[] }>>>;

/** How long a job is taken to last, in milliseconds: it has a beginning alone. */
const jobLength = 3_600_000;

/** What is booked while a slot of a day begins, or null. */
export function bookingAt(busy: BusyDays, day: Day | null, slot: JobSlot, timeZone: string): Booking | null {
  const at = day && instantAt(day, slot, timeZone)?.getTime();
  if (!day || !at) return null;
  const isRunning = (booking: Booking) => {
    const start = Date.parse(booking.at);
    return start <= at && at < start + jobLength;
  };
  return busy[day]?.bookings.find(isRunning) ?? null;
}

/** The first slot of a day after another in which nothing is booked; null where the day has none. */
export function nextFreeSlot(busy: BusyDays, day: Day, slot: JobSlot, clock: Clock): JobSlot | null {
  const isFree = (later: JobSlot) =>
    isSlotOpen(later, day, clock) && bookingAt(busy, day, later, clock.timeZone) === null;
  return jobSlots.find((later) => later > slot && isFree(later)) ?? null;
}

/** `W. Cheng`; a name of one word as it is. */
export function shortName(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${[...(words[0] ?? '')][0]}. ${last}` : last;
}

/** `Sal Amato in Preston is booked 1:30PM to 2:30PM.` */
export function clashInWords({ at, name, place }: Booking, timeZone: string): string {
  const end = new Date(Date.parse(at) + jobLength);
  const who = place ? `${name} in ${place}` : name;
  return `${who} is booked ${formatTime(at, timeZone)} to ${formatTime(end, timeZone)}.`;
}
