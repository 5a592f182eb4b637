/** Instants from `from` (inclusive) to `to` (exclusive). */
export type Window = Readonly<{ from: Date; to: Date }>;

/** The schedule: 180 days, the first one 90 days before today. */
export const scheduleDays = { before: 90, after: 89 } as const;

/**
 * The local days from `before` days before today to `after` days after it, in an IANA zone. Days are as long as the
 * zone makes them: 23 or 25 hours where the clocks change.
 */
export function dayWindow(now: Date, timeZone: string, { before = 0, after = 0 } = {}): Window {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const startOf = (date: Temporal.PlainDate) =>
    new Date(date.toZonedDateTime(timeZone).startOfDay().epochMilliseconds);
  return { from: startOf(today.subtract({ days: before })), to: startOf(today.add({ days: after + 1 })) };
}

/** Local days, both ends included, as `YYYY-MM-DD`. */
export type Days = Readonly<{ from: string; to: string }>;

/** The local day of an instant in an IANA zone. */
export function dayOf(instant: Date, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** Every day from the first to the last, with the instant at which it begins in the zone. */
export function eachDay({ from, to }: Days, timeZone: string): { date: string; start: Date }[] {
  const first = Temporal.PlainDate.from(from);
  const length = first.until(to, { largestUnit: 'days' }).days + 1;
  return Array.from({ length }, (_, index) => {
    const date = first.add({ days: index });
    return { date: date.toString(), start: startOf(date, timeZone) };
  });
}

/** When a day begins in a zone: not always at midnight. */
export function startOf(date: Temporal.PlainDate, timeZone: string): Date {
  return new Date(date.toZonedDateTime(timeZone).startOfDay().epochMilliseconds);
}
