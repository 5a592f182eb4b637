const DAY_MS = 86_400_000;
const starts = new Map<string, number>();

/** Milliseconds at which a wall time of a zone comes by, on the day of an instant there. `slot` as `HH:MM`. */
export function atSlot(instantMs: number, timeZone: string, slot: string): number {
  const [hour = 0, minute = 0] = slot.split(':').map(Number);
  // Eight in the morning is past every change of clocks, so that the day goes on evenly from there.
  return eightOClock(instantMs, timeZone) + ((hour - 8) * 60 + minute) * 60_000;
}

function eightOClock(instantMs: number, timeZone: string): number {
  const day = Math.floor(instantMs / DAY_MS);
  const key = `${timeZone}/${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const date = new Date(day * DAY_MS).toTemporalInstant().toZonedDateTimeISO('UTC').toPlainDate();
  const start = date.toZonedDateTime({ timeZone, plainTime: '08:00' }).epochMilliseconds;
  starts.set(key, start);
  return start;
}
