import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { GB as chrono } from 'chrono-node/en';
import type { Clock, Days } from '#api/assistant/assistant.ts';

export type PartOfDay = 'morning' | 'afternoon' | 'evening';
/** Days that the tradie named. `label` goes into a sentence: `today`, `on Friday 27 November`, `last week`. */
export type Period = Readonly<{ days: Days; part: PartOfDay | null; label: string }>;
/** The days that a text names, and the words of it that name no day. */
export type FoundPeriod = Readonly<{ period: Period; rest: string }>;

type Span = Readonly<{ from: Temporal.PlainDate; to: Temporal.PlainDate; label?: string }>;
type Found = Span & Readonly<{ text: string }>;
type Reader = readonly [
  pattern: RegExp,
  read: (today: Temporal.PlainDate, found: RegExpExecArray) => Span | null,
];

/** Stretches of days, and what Australians and New Zealanders say that the library reads otherwise or not at all. */
const spans: readonly Reader[] = [
  [/\b(?:the )?day after tomorrow\b/, (today) => oneDay(today.add({ days: 2 }))],
  [
    /\b(?:next|coming) (\d{1,2}) (day|week)s\b/,
    (today, [, count, unit]) => ahead(today, Number(count), unit),
  ],
  [/\b(?:last|past) (\d{1,2}) (day|week)s\b/, (today, [, count, unit]) => behind(today, Number(count), unit)],
  [/\b(this|next|last|past|the|coming)? ?weekend\b/, (today, [, which]) => weekend(today, which)],
  [/(?<!day )\b(this|next|last|past|coming) week\b/, (today, [, which]) => week(today, which)],
  [/\b(this|next|last|past|coming) month\b/, (today, [, which]) => month(today, which)],
];

/** Days that are read once the library has found none. */
const others: readonly Reader[] = [
  [/\bthe (\d{1,2})(?:st|nd|rd|th)\b/, (today, [, day]) => dayOfMonth(today, Number(day))],
  [/\b(?:today|tonight|tonite)\b|\bthis (?:morning|morn|afternoon|evening)\b/, (today) => oneDay(today)],
];

/**
 * The days that a text names, on the calendar of the business; null when it names none. The text is in small letters. Dates
 * are day first, a date without its year is the nearest one, and a weekday by its name alone is the next such day, today included.
 */
export function findPeriod(text: string, { now, timeZone }: Clock): FoundPeriod | null {
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const today = instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const plain = plainWords(text);
  const found = readBy(spans, plain, today) ?? readDates(plain, today) ?? readBy(others, plain, today);
  if (!found) return null;
  const days = { from: found.from.toString(), to: found.to.toString() };
  const period = { days, part: partIn(text), label: found.label ?? labelOf(found, today) };
  return { period, rest: plain.replace(found.text, ' ') };
}

/** The part of a day that a text in small letters names. */
export function partIn(text: string): PartOfDay | null {
  if (/\b(morning|morn|mornin|before lunch)\b/.test(text)) return 'morning';
  if (/\b(arvo|afternoon|after lunch)\b/.test(text)) return 'afternoon';
  return /\b(evening|tonight|tonite|last night)\b/.test(text) ? 'evening' : null;
}

const MONTHS = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';

/** Words as the library spells them: no slang, no plural of a day, the day before its month. */
function plainWords(text: string): string {
  return text
    .replace(/\b(?:tomoz|tmrw|tomorow|tommorow)\b/g, 'tomorrow')
    .replace(/\barvo\b/g, 'afternoon')
    .replace(/\b([a-z]{2,}day|tomorrow)(?:'?s)\b/g, '$1')
    .replace(/\bcoming (?=[a-z]+day\b)/g, '')
    .replace(new RegExp(`\\b(${MONTHS}) (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'g'), '$2 $1');
}

function readBy(readers: readonly Reader[], text: string, today: Temporal.PlainDate): Found | null {
  for (const [pattern, read] of readers) {
    const match = pattern.exec(text);
    const span = match && read(today, match);
    if (span) return { ...span, text: match[0] };
  }
  return null;
}

/** A time of day, or a stretch of hours, names no day of its own. */
const HOURS = /\bnow\b|\b(?:second|minute|hour|sec|min|hr)s?\b/;
/** Says on which side of today a weekday is. */
const SIDE = /\b(?:this|next|last|past|ago|week)\b/;

/** The first date, weekday, distance (`in 3 days`, `a week ago`) or whole month that the library finds. */
function readDates(text: string, today: Temporal.PlainDate): Found | null {
  // Noon of the business's day on this machine's own clock: the library counts days on that, whatever zone it is given.
  const results = chrono.parse(text, new Date(today.year, today.month - 1, today.day, 12));
  for (const result of results) {
    const span = HOURS.test(result.text) ? null : spanOf(result, today);
    if (span) return { ...span, text: result.text };
  }
  return null;
}

function spanOf({ start, end, text }: ParsedResult, today: Temporal.PlainDate): Span | null {
  const isWeekday = start.isCertain('weekday') && !start.isCertain('day');
  const from = dateOf(start);
  if (!from) return null;
  if (start.isCertain('month') && !start.isCertain('day') && !isWeekday) return wholeMonth(from);
  if (!isWeekday && !start.isCertain('day')) return null;
  const to = (end && dateOf(end)) ?? from;
  const isGone = isWeekday && !SIDE.test(text) && Temporal.PlainDate.compare(from, today) < 0;
  const weeks = isGone ? 1 : 0;
  const span = { from: from.add({ weeks }), to: to.add({ weeks }) };
  return Temporal.PlainDate.compare(span.from, span.to) > 0 ? null : span;
}

function dateOf(parsed: ParsedComponents): Temporal.PlainDate | null {
  const [year, month, day] = [parsed.get('year'), parsed.get('month'), parsed.get('day')];
  if (!year || !month || !day) return null;
  return Temporal.PlainDate.from({ year, month, day });
}

function oneDay(day: Temporal.PlainDate): Span {
  return { from: day, to: day };
}

function wholeMonth(day: Temporal.PlainDate): Span {
  const from = day.with({ day: 1 });
  const label = `in ${from.toLocaleString('en-AU', { month: 'long', year: 'numeric' })}`;
  return { from, to: from.add({ months: 1 }).subtract({ days: 1 }), label };
}

function ahead(today: Temporal.PlainDate, count: number, unit = 'day'): Span | null {
  if (count < 1) return null;
  const days = unit === 'week' ? 7 * count : count;
  return { from: today, to: today.add({ days: days - 1 }), label: `in the next ${count} ${unit}s` };
}

function behind(today: Temporal.PlainDate, count: number, unit = 'day'): Span | null {
  if (count < 1) return null;
  const days = unit === 'week' ? 7 * count : count;
  return { from: today.subtract({ days: days - 1 }), to: today, label: `in the last ${count} ${unit}s` };
}

/** Weeks begin on Monday. */
function week(today: Temporal.PlainDate, which: string | undefined): Span {
  const shift = shiftOf(which);
  const from = today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks: shift });
  return { from, to: from.add({ days: 6 }), label: `${nameOf(shift)} week` };
}

function weekend(today: Temporal.PlainDate, which: string | undefined): Span {
  const { from, to, label = '' } = week(today, which);
  return { from: from.add({ days: 5 }), to, label: label.replace('week', 'weekend') };
}

function month(today: Temporal.PlainDate, which: string | undefined): Span {
  const shift = shiftOf(which);
  const from = today.with({ day: 1 }).add({ months: shift });
  return { from, to: from.add({ months: 1 }).subtract({ days: 1 }), label: `${nameOf(shift)} month` };
}

/** The next day of this number; a month that has none of it, such as June of a 31st, names no day. */
function dayOfMonth(today: Temporal.PlainDate, day: number): Span | null {
  if (day < 1 || day > today.daysInMonth) return null;
  const date = today.with({ day });
  return oneDay(day < today.day ? date.add({ months: 1 }) : date);
}

function shiftOf(which: string | undefined): -1 | 0 | 1 {
  if (which === 'next') return 1;
  return which === 'last' || which === 'past' ? -1 : 0;
}

function nameOf(shift: -1 | 0 | 1): string {
  return ['last', 'this', 'next'][shift + 1] ?? 'this';
}

function labelOf({ from, to }: Span, today: Temporal.PlainDate): string {
  if (!from.equals(to)) return `from ${dayName(from, today)} to ${dayName(to, today)}`;
  const near = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(today.until(from).days)];
  return near ?? `on ${dayName(from, today)}`;
}

/** `Friday 27 November`, with its year where that is not within half a year. */
function dayName(day: Temporal.PlainDate, today: Temporal.PlainDate): string {
  const isFar = Math.abs(today.until(day).days) > 182;
  const words = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return day.toLocaleString('en-AU', isFar ? { ...words, year: 'numeric' } : words).replace(',', '');
}
