/** In which order a file writes day, month and year. */
export type DateOrder = 'day-month-year' | 'month-day-year' | 'year-month-day';

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
];
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.? /;
const IN_NUMBERS = /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})(?=$|[ t])/;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?[-/. ]+([a-z]{3,9})\.?[-/. ]+(\d{4}|\d\d)(?=$|[ t])/;
const MONTH_FIRST = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)? (\d{4}|\d\d)(?=$|[ t])/;
const TIME = /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:\.\d+)?)?)? ?(?:([ap])\.?m\.?)? ?(z|utc|gmt|[+-]\d\d:?\d\d)?$/;
/** A day as a spreadsheet counts it, and the part of it that has gone by: 45688.375 is 9:00 on 31 January 2025. */
const SERIAL = /^\d{5}(?:\.\d+)?$/;

type Day = Readonly<{ year: number; month: number; day: number }>;
type Found = Readonly<{ day: Day; length: number }>;

/**
 * A day as people, products and spreadsheets write it, with a time or, where there is none, at midnight (which stands for the day alone), on the clocks of a zone where it names no other;
 * null for what is no day, or an hour that no clock shows. A year that stands first is the year, whatever the order.
 */
export function readInstant(text: string, order: DateOrder, timeZone: string): string | null {
  const typed = text
    .toLowerCase()
    .replace(/[\s,]+/g, ' ')
    .trim();
  try {
    return new Date(
      SERIAL.test(typed) ? ofSerial(typed, timeZone) : ofText(typed, order, timeZone),
    ).toISOString();
  } catch {
    return null;
  }
}

function ofSerial(typed: string, timeZone: string): number {
  const minutes = Math.round((Number(typed) % 1) * 24 * 60);
  const day = Temporal.PlainDateTime.from('1899-12-30').add({ days: Math.floor(Number(typed)), minutes });
  return day.toZonedDateTime(timeZone).epochMilliseconds;
}

function ofText(typed: string, order: DateOrder, timeZone: string): number {
  const plain = typed.replace(WEEKDAY, '');
  const found = inNumbers(plain, order) ?? withMonthName(plain);
  const time = found && plain.slice(found.length).replace(/^(?: ?(?:at|t) ?| )/, '');
  const parts = time === '' ? [] : TIME.exec(time ?? '-');
  if (!found || !parts) throw new RangeError('no day');
  const [, hour = '0', minute, second = '0', half, offset] = parts;
  if (time !== '' && minute === undefined && half === undefined) throw new RangeError('no time');
  const hours = half ? (Number(hour) % 12) + (half === 'p' ? 12 : 0) : Number(hour);
  if (half && Number(hour) > 12) throw new RangeError('no hour');
  const local = Temporal.PlainDateTime.from(
    { ...found.day, hour: hours, minute: Number(minute ?? 0), second: Number(second) },
    { overflow: 'reject' },
  );
  const zone = offset === undefined ? timeZone : /\d/.test(offset) ? offset : 'UTC';
  return local.toZonedDateTime(zone).epochMilliseconds;
}

function inNumbers(text: string, order: DateOrder): Found | null {
  const [all, first = '', second, third] = IN_NUMBERS.exec(text) ?? [];
  if (all === undefined) return null;
  const names = (first.length === 4 ? 'year-month-day' : order).split('-');
  const numberOf = (name: string) => [first, second, third][names.indexOf(name)] ?? '';
  const day = {
    year: yearOf(numberOf('year')),
    month: Number(numberOf('month')),
    day: Number(numberOf('day')),
  };
  return { day, length: all.length };
}

function withMonthName(text: string): Found | null {
  const dayFirst = DAY_FIRST.exec(text);
  const [all, ...parts] = dayFirst ?? MONTH_FIRST.exec(text) ?? [];
  if (all === undefined) return null;
  const [day = '', name = '', year = ''] = dayFirst ? parts : [parts[1], parts[0], parts[2]];
  const month = MONTHS.findIndex((one) => one.startsWith(name)) + 1;
  return { day: { year: yearOf(year), month, day: Number(day) }, length: all.length };
}

/** Of two digits the one since 1990; of three none. */
function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year + (year < 90 ? 2000 : 1900);
  return digits.length === 4 ? year : Number.NaN;
}

const EARLIEST = '1990-01-01T00:00:00.000Z';
const YEARS_AHEAD = 5;

/** Whether a job can have come or be planned then: from 1990 to five years from now. What is further away is a slip. */
export function isPlausible(instant: string, now: Date): boolean {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + YEARS_AHEAD);
  const at = Date.parse(instant);
  return at >= Date.parse(EARLIEST) && at <= latest.getTime();
}

export const implausibleMessage = 'is no day from 1990 to five years from now';
