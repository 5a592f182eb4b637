/** What a zone's clocks show; `month` from 1, `weekday` 0 for Sunday. */
export type Wall = Readonly<{
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
}>;

/** What the clocks of an IANA zone show at an instant. Throws a RangeError for what is no instant or no zone. */
export function wallTime(instant: string | Date, timeZone: string): Wall {
  const date = new Date(instant);
  if (!hasTemporal()) return wallByFormat(date, timeZone);
  const shown = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone);
  const { year, month, day, hour, minute } = shown;
  return { year, month, day, weekday: shown.dayOfWeek % 7, hour, minute };
}

/** Whether the browser has that IANA zone. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    return wallTime(new Date(0), value).year > 0;
  } catch {
    return false;
  }
}

/**
 * The first formatter of a browser's process costs a phone 60 ms and more, because all its languages are looked through, and it comes
 * before anything of a list is drawn. Temporal has no languages; Safari has no Temporal.
 */
const hasTemporal = () => typeof Temporal !== 'undefined';

const formats = new Map<string, Intl.DateTimeFormat>();

function wallByFormat(date: Date, timeZone: string): Wall {
  const parts = formatOf(timeZone).formatToParts(date);
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [read('year'), read('month'), read('day')];
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return { year, month, day, weekday, hour: read('hour'), minute: read('minute') };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}
