/** A wall time of the business's own zone at which a job can start, as `HH:MM`. */
export type JobSlot = string;

const FIRST = 8 * 60;
const LAST = 17 * 60 + 30;

/** How long a slot is, in minutes. */
export const slotMinutes = 30;

/** Every slot of a day, from 08:00 to 17:30. */
export const jobSlots: readonly JobSlot[] = Array.from(
  { length: (LAST - FIRST) / slotMinutes + 1 },
  (_, index) => {
    const minutes = FIRST + index * slotMinutes;
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  },
);

export function isJobSlot(value: unknown): value is JobSlot {
  return jobSlots.some((slot) => slot === value);
}

/** A slot as people read it: `8:00AM`, `5:30PM`. */
export function jobSlotLabel(slot: JobSlot): string {
  const [hour = 0, minute = 0] = slot.split(':').map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}${hour < 12 ? 'AM' : 'PM'}`;
}

/** Why no job begins at a time that is no slot. */
export const slotMessage = 'Choose a time from 8:00AM to 5:30PM, on the hour or half past';
const pastSlotMessage = 'Choose a time from now on';
const farSlotMessage = 'Choose a day within the next two years';

/** How far ahead a job can be scheduled, in days: one more than are offered, as a day begins elsewhere first. */
export const furthestDay = 731;
/** How long who made a change of a job can take it back, in milliseconds. */
export const undoWithin = 60_000;

/** The most days, cards and overdue cards of one answer of the schedule, the most pages, and how far overdue jobs are counted. */
export const scheduleLimits = { days: 180, jobs: 500, pages: 200, overdue: 20, overdueCount: 1_000 } as const;

const MINUTE = 60_000;

/** The slot that starts at an instant, on the clocks of an IANA zone; null when none does. */
export function slotAt(instant: Date, timeZone: string): JobSlot | null {
  if (instant.getTime() % MINUTE !== 0) return null;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const time = clock.format(instant);
  return isJobSlot(time) ? time : null;
}

/**
 * Why a job cannot be scheduled at an instant, or null. The slot that is running counts as now, so that no tradie is
 * refused for the minute it takes to press the button.
 */
export function slotProblem(instant: Date, timeZone: string, now: Date): string | null {
  if (slotAt(instant, timeZone) === null) return slotMessage;
  const ahead = instant.getTime() - now.getTime();
  if (ahead <= -slotMinutes * MINUTE) return pastSlotMessage;
  return ahead > furthestDay * 24 * 60 * MINUTE ? farSlotMessage : null;
}

/** An instant on the clocks of an IANA zone as people read it: `Tue, 01 Dec 2026 9:30AM`; of midnight, which stands for a day without an hour, the day. */
export function instantWords(instant: string, timeZone: string): string {
  const { day, hour, minute } = partsOf(instant, timeZone);
  if (hour + minute === 0 && Date.parse(instant) % MINUTE === 0) return day;
  return `${day} ${hour % 12 || 12}:${String(minute).padStart(2, '0')}${hour < 12 ? 'AM' : 'PM'}`;
}

/** The day of an instant on the clocks of an IANA zone: `Tue, 01 Dec 2026`. */
export function dayWords(instant: string, timeZone: string): string {
  return partsOf(instant, timeZone).day;
}

/** Built from parts: locales differ. */
function partsOf(instant: string, timeZone: string): Readonly<{ day: string; hour: number; minute: number }> {
  const format = new Intl.DateTimeFormat('en-AU', {
    timeZone,
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const part = Object.fromEntries(
    format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]),
  );
  const day = `${part.weekday?.slice(0, 3)}, ${part.day} ${part.month?.slice(0, 3)} ${part.year}`;
  return { day, hour: Number(part.hour), minute: Number(part.minute) };
}

/** An IANA zone by area and place, such as `Australia/Melbourne`; never an offset or an abbreviation. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en-AU', { timeZone: text }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
