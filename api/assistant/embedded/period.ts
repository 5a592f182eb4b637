import type { Clock, Days } from '#api/assistant/assistant.ts';

export type PartOfDay = 'morning' | 'afternoon' | 'evening';
/** Days that the tradie named. `label` goes into a sentence: `today`, `on Friday 27 November`, `last week`. */
export type Period = Readonly<{ days: Days; part: PartOfDay | null; label: string }>;

type Span = Readonly<{ from: Temporal.PlainDate; to: Temporal.PlainDate; label?: string }>;
type Reader = readonly [
  pattern: RegExp,
  read: (today: Temporal.PlainDate, found: RegExpExecArray) => Span | null,
];

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEKDAY = '(mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|nesday|sday|rsday|urday)?s?';
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = `(${months.join('|')})[a-z]*`;
const ORDINAL = '(\\d{1,2})(?:st|nd|rd|th)?';

/** The first that fits is meant: longer phrases stand before the words in them. */
const readers: readonly Reader[] = [
  [/\bday after tomorrow\b/, (today) => oneDay(today.add({ days: 2 }))],
  [
    /\b(tomorrow|tomoz|tmrw|tomorow|tommorow|tomorrows)\b/,
    (today) => oneDay(today.add({ days: 1 }), 'tomorrow'),
  ],
  [/\byesterday\b/, (today) => oneDay(today.subtract({ days: 1 }), 'yesterday')],
  [/\b(?:next|coming) (\d{1,2}) days\b/, (today, [, count]) => ahead(today, Number(count))],
  [/\b(?:last|past) (\d{1,2}) days\b/, (today, [, count]) => behind(today, Number(count))],
  [/\b(this|next|last|past|the|coming)? ?weekend\b/, (today, [, which]) => weekend(today, which)],
  [/\b(this|next|last|past|coming) week\b/, (today, [, which]) => week(today, which)],
  [/\b(this|next|last|past|coming) month\b/, (today, [, which]) => month(today, which)],
  [
    new RegExp(`\\b(this|next|last|past|coming)? ?${WEEKDAY}\\b`),
    (today, [, which, day]) => weekday(today, day, which),
  ],
  [new RegExp(`\\b${ORDINAL}(?: of)? ${MONTH}\\b`), (today, [, day, name]) => dated(today, day, name)],
  [new RegExp(`\\b${MONTH} ${ORDINAL}\\b`), (today, [, name, day]) => dated(today, day, name)],
  [/\b(\d{1,2})\/(\d{1,2})\b/, (today, [, day, number]) => dated(today, day, months[Number(number) - 1])],
  [/\bthe (\d{1,2})(?:st|nd|rd|th)\b/, (today, [, day]) => dayOfMonth(today, Number(day))],
  [
    /\b(today|todays|tonight)\b|\bthis (morning|morn|arvo|afternoon|evening)\b/,
    (today) => oneDay(today, 'today'),
  ],
];

/** The days that a text names, on the clock of the business; null when it names none. The text is in small letters. */
export function periodIn(text: string, { now, timeZone }: Clock): Period | null {
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const today = instant.toZonedDateTimeISO(timeZone).toPlainDate();
  for (const [pattern, read] of readers) {
    const found = pattern.exec(text);
    const span = found && read(today, found);
    if (span) {
      const days = { from: span.from.toString(), to: span.to.toString() };
      return { days, part: partIn(text), label: span.label ?? longDay(span.from, today) };
    }
  }
  return null;
}

const DAY_WORD = new RegExp(
  `^(?:${WEEKDAY}|${MONTH}|${ORDINAL}|\\d{1,2}/\\d{1,2}|today|tonight|tonite|tomorrow|tomoz|tmrw|yesterday|this|next|last|past|coming|week|weekend|month|days|morning|morn|mornin|arvo|afternoon|evening|lunch)(?:'s)?$`,
);

/** Whether a word in small letters can be a part of naming days. */
export function isDayWord(word: string): boolean {
  return DAY_WORD.test(word);
}

/** The part of a day that a text in small letters names. */
export function partIn(text: string): PartOfDay | null {
  if (/\b(morning|morn|mornin|before lunch)\b/.test(text)) return 'morning';
  if (/\b(arvo|afternoon|after lunch)\b/.test(text)) return 'afternoon';
  return /\b(evening|tonight|tonite)\b/.test(text) ? 'evening' : null;
}

function oneDay(day: Temporal.PlainDate, label?: string): Span {
  return { from: day, to: day, ...(label ? { label } : {}) };
}

function ahead(today: Temporal.PlainDate, count: number): Span | null {
  if (count < 1) return null;
  return { from: today, to: today.add({ days: count - 1 }), label: `in the next ${count} days` };
}

function behind(today: Temporal.PlainDate, count: number): Span | null {
  if (count < 1) return null;
  return { from: today.subtract({ days: count - 1 }), to: today, label: `in the last ${count} days` };
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

/** A bare name is the next such day, today included; `next` is that day of next week, `last` the one gone by. */
function weekday(today: Temporal.PlainDate, name: string | undefined, which: string | undefined): Span {
  const wanted = weekdays.indexOf((name ?? '').slice(0, 3)) + 1;
  const ahead = (wanted - today.dayOfWeek + 7) % 7;
  if (which === 'next') return oneDay(today.add({ days: 7 + wanted - today.dayOfWeek }));
  if (shiftOf(which) < 0) return oneDay(today.subtract({ days: 7 - ahead || 7 }));
  return oneDay(today.add({ days: ahead }));
}

/** A day and month of this year; of the next once it is half a year gone. */
function dated(today: Temporal.PlainDate, day: string | undefined, name: string | undefined): Span | null {
  const number = months.indexOf((name ?? '').slice(0, 3)) + 1;
  const date = dateOf(today.year, number, Number(day));
  if (!date) return null;
  return oneDay(date.until(today).days > 182 ? date.add({ years: 1 }) : date);
}

function dayOfMonth(today: Temporal.PlainDate, day: number): Span | null {
  const date = dateOf(today.year, today.month, day);
  if (!date) return null;
  return oneDay(date.until(today).days > 0 ? date.add({ months: 1 }) : date);
}

function dateOf(year: number, month: number, day: number): Temporal.PlainDate | null {
  if (month < 1 || month > 12 || day < 1) return null;
  const date = Temporal.PlainDate.from({ year, month, day: Math.min(day, 31) });
  return date.day === day ? date : null;
}

function shiftOf(which: string | undefined): -1 | 0 | 1 {
  if (which === 'next') return 1;
  return which === 'last' || which === 'past' ? -1 : 0;
}

function nameOf(shift: -1 | 0 | 1): string {
  return ['last', 'this', 'next'][shift + 1] ?? 'this';
}

function longDay(day: Temporal.PlainDate, today: Temporal.PlainDate): string {
  const gap = today.until(day).days;
  if (gap === 0) return 'today';
  if (gap === 1) return 'tomorrow';
  return `on ${day.toLocaleString('en-AU', { weekday: 'long', day: 'numeric', month: 'long' }).replace(',', '')}`;
}
