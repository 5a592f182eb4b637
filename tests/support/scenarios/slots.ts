/** A wall time of the business's zone some days from today, as the instant that the API takes. */
export function slot(
  daysAhead: number,
  time: string,
  { timeZone = 'Australia/Melbourne', now = new Date() } = {},
): string {
  const today = now.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate();
  const at = today.add({ days: daysAhead }).toZonedDateTime({ timeZone, plainTime: time });
  return new Date(at.epochMilliseconds).toISOString();
}

/** The date so many days from now, in UTC. */
export const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
