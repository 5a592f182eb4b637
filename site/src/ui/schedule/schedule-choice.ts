import { furthestDay, type JobSlot, jobSlotLabel, jobSlots, slotAt, slotProblem } from '#core/values/time.ts';
import {
  addDays,
  addMonths,
  type Day,
  dayByKey,
  dayInMonth,
  type Month,
  monthOf,
  weekdayOf,
  weekOf,
} from '#site/lib/time/calendar.ts';
import { dayKey, formatDay, instantAt } from '#site/lib/time/moments.ts';

/** Where the business is, and what time it is. */
export type Clock = Readonly<{ timeZone: string; now: Date }>;

/** What a picker shows: a month, what is chosen so far, and the day that the keyboard is on. */
export type ScheduleChoice = Readonly<{
  month: Month;
  day: Day | null;
  slot: JobSlot | null;
  focus: Day;
}>;

export type Chosen = Pick<ScheduleChoice, 'day' | 'slot'>;

const nothingChosen: Chosen = { day: null, slot: null };

/** The first and the last day that can be chosen: today where the business is, and two years on. */
export function boundsOf({ timeZone, now }: Clock): Readonly<{ first: Day; last: Day }> {
  const first = dayKey(now, timeZone);
  return { first, last: addDays(first, furthestDay - 1) };
}

/**
 * A picker as it opens: on the time that is set, if it can still be chosen, else on what of it is chosen so far, else on
 * today with nothing chosen.
 */
export function openChoice(
  scheduledAt: string | null,
  clock: Clock,
  { day: begun, slot }: Chosen = nothingChosen,
): ScheduleChoice {
  const { first } = boundsOf(clock);
  const at = scheduledAt === null ? null : new Date(scheduledAt);
  if (!at || slotProblem(at, clock.timeZone, clock.now)) {
    const focus = begun ?? first;
    return { month: monthOf(focus), day: begun, slot, focus };
  }
  const day = dayKey(at, clock.timeZone);
  return { month: monthOf(day), day, slot: slotAt(at, clock.timeZone), focus: day };
}

/** The same time of day as an instant's on another day; null where that is no time to begin at. */
function sameTimeOn(day: Day, scheduledAt: string, { timeZone }: Clock): string | null {
  const slot = slotAt(new Date(scheduledAt), timeZone);
  return slot && (instantAt(day, slot, timeZone)?.toISOString() ?? null);
}

const tomorrowLabel = 'Tomorrow, same time';

/** Where a job that has a time is moved to most: to tomorrow or to next Monday, at the same time of day. */
export function shortcutsFrom(
  scheduledAt: string,
  clock: Clock,
): readonly Readonly<{ label: string; at: string }>[] {
  const { first: today } = boundsOf(clock);
  const wanted = [
    { label: tomorrowLabel, at: sameTimeOn(addDays(today, 1), scheduledAt, clock) },
    { label: 'Next Monday', at: sameTimeOn(addDays(today, 7 - weekdayOf(today)), scheduledAt, clock) },
  ];
  return wanted.flatMap(({ label, at }) => (at ? [{ label, at }] : []));
}

/** Where a job without a time is put most: on today, while that has a time left, or on tomorrow. */
export function nearDays(clock: Clock): readonly Readonly<{ label: string; day: Day }>[] {
  const { first: today } = boundsOf(clock);
  const days = [
    { label: 'Today', day: today },
    { label: 'Tomorrow', day: addDays(today, 1) },
  ];
  return days.filter(({ day }) => hasTimeLeft(day, clock));
}

/** The first of these for what is on the schedule up to today; null for what is later anyhow, and at a time that is no slot. */
export function tomorrowFrom(
  scheduledAt: string,
  clock: Clock,
): Readonly<{ label: string; at: string }> | null {
  if (dayKey(scheduledAt, clock.timeZone) > boundsOf(clock).first) return null;
  return shortcutsFrom(scheduledAt, clock).find(({ label }) => label === tomorrowLabel) ?? null;
}

/** A picker for a job as it opens: what is overdue opens on tomorrow, same time. Work that is done is not overdue. */
export function openForJob(
  scheduledAt: string | null,
  clock: Clock,
  {
    begun,
    isFinished = false,
  }: Readonly<{ begun?: Chosen | undefined; isFinished?: boolean | undefined }> = {},
): ScheduleChoice {
  const isOverdue = scheduledAt !== null && !isFinished && new Date(scheduledAt) < clock.now;
  const asSet = openChoice(scheduledAt, clock, begun);
  if (!isOverdue || asSet.day) return asSet;
  return openChoice(shortcutsFrom(scheduledAt, clock)[0]?.at ?? null, clock);
}

export function isDayOpen(day: Day, clock: Clock): boolean {
  const { first, last } = boundsOf(clock);
  return first <= day && day <= last;
}

/** Whether a slot can be chosen; any can while there is no day. */
export function isSlotOpen(slot: JobSlot, day: Day | null, clock: Clock): boolean {
  if (day === null) return true;
  const at = instantAt(day, slot, clock.timeZone);
  return at !== null && slotProblem(at, clock.timeZone, clock.now) === null;
}

/** Whether that day has any time left. */
export function hasTimeLeft(day: Day | null, clock: Clock): boolean {
  return jobSlots.some((slot) => isSlotOpen(slot, day, clock));
}

/** The time stays chosen where the other day has it too. */
export function chooseDay(choice: ScheduleChoice, day: Day, clock: Clock): ScheduleChoice {
  if (!isDayOpen(day, clock)) return choice;
  const slot = choice.slot && isSlotOpen(choice.slot, day, clock) ? choice.slot : null;
  return { month: monthOf(day), day, slot, focus: day };
}

export function chooseSlot(choice: ScheduleChoice, slot: JobSlot, clock: Clock): ScheduleChoice {
  return isSlotOpen(slot, choice.day, clock) ? { ...choice, slot } : choice;
}

/** Whether the months that many on hold a day that can be chosen. */
export function canShowMonth({ month }: ScheduleChoice, count: number, clock: Clock): boolean {
  const { first, last } = boundsOf(clock);
  const wanted = addMonths(month, count);
  return monthOf(first) <= wanted && wanted <= monthOf(last);
}

export function showMonth(choice: ScheduleChoice, count: number, clock: Clock): ScheduleChoice {
  if (!canShowMonth(choice, count, clock)) return choice;
  return focusOn(choice, dayInMonth(choice.focus, addMonths(choice.month, count)), clock);
}

/** Whether the week so many after that of the keyboard's day holds a day that can be chosen. */
export function canShowWeek({ focus }: ScheduleChoice, count: number, clock: Clock): boolean {
  const week = weekOf(addDays(focus, 7 * count));
  return week.some((day) => isDayOpen(day, clock));
}

export function showWeek(choice: ScheduleChoice, count: number, clock: Clock): ScheduleChoice {
  if (!canShowWeek(choice, count, clock)) return choice;
  return focusOn(choice, addDays(choice.focus, 7 * count), clock);
}

/** The keyboard's day is the chosen one, wherever it was; without one it stays. */
export function showChosen(choice: ScheduleChoice): ScheduleChoice {
  const focus = choice.day ?? choice.focus;
  return { ...choice, month: monthOf(focus), focus };
}

/** Moves the keyboard's day as calendars do; null for a key that is not theirs. */
export function moveFocus(
  choice: ScheduleChoice,
  pressed: Readonly<{ key: string; shiftKey: boolean }>,
  clock: Clock,
): ScheduleChoice | null {
  const target = dayByKey(pressed, choice.focus);
  return target ? focusOn(choice, target, clock) : null;
}

/** The nearest day to the wanted one that can be chosen. */
function focusOn(choice: ScheduleChoice, wanted: Day, clock: Clock): ScheduleChoice {
  const { first, last } = boundsOf(clock);
  const focus = wanted < first ? first : wanted > last ? last : wanted;
  return { ...choice, month: monthOf(focus), focus };
}

/** The instant of a whole choice, as the API takes it; null until both are chosen. */
export function chosenInstant({ day, slot }: Chosen, timeZone: string): string | null {
  return day && slot ? (instantAt(day, slot, timeZone)?.toISOString() ?? null) : null;
}

/** What is chosen in words, or what is still to be chosen. */
export function choiceInWords({ day, slot }: Chosen): string {
  if (day && slot) return `${dayInWords(day)}, ${jobSlotLabel(slot)}`;
  if (day) return `${dayInWords(day)}, choose a time`;
  return slot ? `${jobSlotLabel(slot)}, choose a day` : 'Choose a day and a time';
}

/** `Tue 06 Jan`. */
export function dayInWords(day: Day): string {
  return formatDay(`${day}T00:00:00Z`, 'UTC');
}
