import { useStore } from '@nanostores/react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { jobLength } from '#core/values/job-length.ts';
import { type JobSlot, jobSlotLabel, jobSlots } from '#core/values/time.ts';
import { type Day, spokenDay } from '#site/lib/time/calendar.ts';
import { dayKey, formatTime, instantAt } from '#site/lib/time/moments.ts';
import { MonthGrid } from '#site/ui/schedule/MonthGrid.tsx';
import { $isPhone } from '#site/ui/screen-store.ts';
import {
  type Clock,
  canShowMonth,
  canShowWeek,
  chooseDay,
  chooseSlot,
  dayInWords,
  hasTimeLeft,
  isDayOpen,
  isSlotOpen,
  moveFocus,
  type ScheduleChoice,
  showChosen,
  showMonth,
  showWeek,
} from './schedule-choice.ts';

type Props = Readonly<{
  label: string;
  choice: ScheduleChoice;
  onChoice(choice: ScheduleChoice): void;
  clock: Clock;
  /** What is on the schedule besides. */
  busy?: BusyDays;
  describedBy?: string | undefined;
}>;

const nothingBooked: BusyDays = {};

/** A day and a half hour of it, from now on, on the clocks of the business. */
export function SchedulePicker({ label, describedBy, busy = nothingBooked, ...rest }: Props) {
  return (
    <div className="picker picker--bare" role="group" aria-label={label} aria-describedby={describedBy}>
      <DayGrid {...rest} busy={busy} />
      <SlotButtons {...rest} busy={busy} />
    </div>
  );
}

type DayGridProps = Readonly<{
  choice: ScheduleChoice;
  onChoice(choice: ScheduleChoice): void;
  clock: Clock;
  /** What the days have dots for. */
  busy: BusyDays;
}>;

/** A month to choose a day from; on a phone the week of the chosen day, until the month is opened by its name. */
function DayGrid({ choice, onChoice, clock, busy }: DayGridProps) {
  const today = dayKey(clock.now, clock.timeZone);
  const jobsOn = (day: Day) => busy[day]?.count ?? 0;
  const isPhone = useStore($isPhone, { ssr: () => false });
  const [isOpen, setOpen] = useState(false);
  const isFolded = isPhone && !isOpen;
  const [canShow, show] = isFolded ? [canShowWeek, showWeek] : [canShowMonth, showMonth];

  function toggle(): void {
    setOpen(!isOpen);
    if (isOpen) onChoice(showChosen(choice));
  }

  return (
    <MonthGrid
      month={choice.month}
      className="cal--compact"
      canStep={(count) => canShow(choice, count, clock)}
      onStep={(count) => onChoice(show(choice, count, clock))}
      fold={isPhone ? { day: choice.focus, isFolded, onToggle: toggle } : null}
      onKey={(pressed) => {
        const moved = moveFocus(choice, pressed, clock);
        return moved && (() => onChoice(moved));
      }}
      isOver={(week) => (week.findLast(Boolean) ?? '') < today}
    >
      {(day) => (
        <button
          type="button"
          className={jobsOn(day) > 0 ? 'has-jobs' : undefined}
          data-n={Math.min(jobsOn(day), 3)}
          aria-label={[spokenDay(day), ...jobsInWords(jobsOn(day))].join(', ')}
          aria-pressed={day === choice.day}
          aria-current={day === today ? 'date' : undefined}
          disabled={!isDayOpen(day, clock)}
          tabIndex={day === choice.focus ? 0 : -1}
          onClick={() => onChoice(chooseDay(choice, day, clock))}
        >
          {Number(day.slice(8))}
        </button>
      )}
    </MonthGrid>
  );
}

function jobsInWords(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? '1 job' : `${count} jobs`];
}

type SlotButtonsProps = Readonly<{
  choice: ScheduleChoice;
  onChoice(choice: ScheduleChoice): void;
  clock: Clock;
  /** What slots are taken by; a taken slot can still be chosen. */
  busy: BusyDays;
}>;

const columns = 4;
const steps: Record<string, number> = {
  ...{ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns },
  ...{ Home: -jobSlots.length, End: jobSlots.length },
};

/** The half hours of a day, from 8:00AM to 5:30PM: one stop of the Tab key, arrows between them. */
function SlotButtons({ choice, onChoice, clock, busy }: SlotButtonsProps) {
  const slots = useRef<HTMLDivElement>(null);
  const open = jobSlots.filter((slot) => isSlotOpen(slot, choice.day, clock));
  const tabStop = choice.slot ?? open[0];

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    const focused = document.activeElement;
    if (step === undefined || !(focused instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const buttons = [...(slots.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
    const wanted = buttons.indexOf(focused) + step;
    buttons[Math.min(Math.max(wanted, 0), buttons.length - 1)]?.focus();
  }

  const button = (slot: JobSlot) => {
    const booking = open.includes(slot) ? bookingAt(busy, choice.day, slot, clock.timeZone) : null;
    return (
      <button
        key={slot}
        type="button"
        className={booking ? 'is-taken' : undefined}
        aria-pressed={slot === choice.slot}
        disabled={!open.includes(slot)}
        tabIndex={slot === tabStop ? 0 : -1}
        onClick={() => onChoice(chooseSlot(choice, slot, clock))}
      >
        <span>{jobSlotLabel(slot)}</span>
        {booking && (
          <>
            <small>{shortName(booking.name)}</small>
            <span className="sr"> is booked</span>
          </>
        )}
      </button>
    );
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons inside
    <div ref={slots} className="slots" onKeyDown={onKeyDown}>
      <strong className="num">{choice.day ? `Times on ${dayInWords(choice.day)}` : 'Times'}</strong>
      <SlotGroup label="Morning">{jobSlots.filter((slot) => slot < '12:00').map(button)}</SlotGroup>
      <SlotGroup label="Afternoon">{jobSlots.filter((slot) => slot >= '12:00').map(button)}</SlotGroup>
      {!hasTimeLeft(choice.day, clock) && <p className="field__hint">No times left on this day</p>}
    </div>
  );
}

function SlotGroup({ label, children }: { label: string; children: Elements }) {
  const id = useId();
  return (
    <>
      <p className="slots__label" id={id}>
        {label}
      </p>
      <div className="slots__grid" role="group" aria-labelledby={id}>
        {children}
      </div>
    </>
  );
}

/** What is on the schedule already. `at` is an instant; `place` a suburb, null where none is known. */
export type Booking = Readonly<{ at: string; name: string; place: string | null }>;

/** What is booked on each day in the order of time, and how many jobs a day has: more than are named, where they are many. */
export type BusyDays = Readonly<Record<Day, Readonly<{ count: number; bookings: readonly Booking[] }>>>;

/** What is booked while a slot of a day begins, or null. */
export function bookingAt(busy: BusyDays, day: Day | null, slot: JobSlot, timeZone: string): Booking | null {
  const at = day && instantAt(day, slot, timeZone)?.getTime();
  if (!day || !at) return null;
  const isRunning = (booking: Booking) => {
    const start = Date.parse(booking.at);
    return start <= at && at < start + jobLength;
  };
  return busy[day]?.bookings.find(isRunning) ?? null;
}

/** The first slot of a day after another in which nothing is booked; null where the day has none. */
export function nextFreeSlot(busy: BusyDays, day: Day, slot: JobSlot, clock: Clock): JobSlot | null {
  const isFree = (later: JobSlot) =>
    isSlotOpen(later, day, clock) && bookingAt(busy, day, later, clock.timeZone) === null;
  return jobSlots.find((later) => later > slot && isFree(later)) ?? null;
}

/** `W. Cheng`; a name of one word as it is. */
export function shortName(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${[...(words[0] ?? '')][0]}. ${last}` : last;
}

/** `Sal Amato in Preston is booked 1:30PM to 2:30PM.` */
export function clashInWords({ at, name, place }: Booking, timeZone: string): string {
  const end = new Date(Date.parse(at) + jobLength);
  const who = place ? `${name} in ${place}` : name;
  return `${who} is booked ${formatTime(at, timeZone)} to ${formatTime(end, timeZone)}.`;
}
