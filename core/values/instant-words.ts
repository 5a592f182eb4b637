/** An instant on the clocks of an IANA zone as people read it: `Tue, 01 Dec 2026 9:30AM`. Built from parts: locales differ. */
export function instantWords(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-AU', {
    ...{ timeZone, weekday: 'short', day: '2-digit', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const part = Object.fromEntries(
    format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]),
  );
  const hour = Number(part.hour);
  const time = `${hour % 12 || 12}:${part.minute}${hour < 12 ? 'AM' : 'PM'}`;
  return `${part.weekday?.slice(0, 3)}, ${part.day} ${part.month?.slice(0, 3)} ${part.year} ${time}`;
}
