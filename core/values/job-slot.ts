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
