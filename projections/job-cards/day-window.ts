/** Instants from `from` (inclusive) to `to` (exclusive). */
export type Window = Readonly<{ from: Date; to: Date }>;

/** The schedule: 180 days, the first one 90 days before today (spec.md §9). */
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
