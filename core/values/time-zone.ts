/** An IANA zone by area and place, such as `Australia/Melbourne`; never an offset or an abbreviation. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en-AU', { timeZone: text }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
