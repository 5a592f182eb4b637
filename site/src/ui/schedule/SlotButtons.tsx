import { type KeyboardEvent, useId, useRef } from 'react';
import { type JobSlot, jobSlotLabel, jobSlots } from '#core/values/time.ts';
import { type BusyDays, bookingAt, shortName } from './busy.ts';
import { type Clock, chooseSlot, hasTimeLeft, isSlotOpen, type ScheduleChoice } from './schedule-choice.ts';

type Props = Readonly<{
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
export function SlotButtons({ choice, onChoice, clock, busy }: Props) {
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
        {jobSlotLabel(slot)}
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
      <SlotGroup label="Morning">{jobSlots.filter((slot) => slot < '12:00').map(button)}</SlotGroup>
      <SlotGroup label="Afternoon">{jobSlots.filter((slot) => slot >= '12:00').map(button)}</SlotGroup>
      {!hasTimeLeft(choice.day, clock) && <p className="field__hint">No times left on this day</p>}
    </div>
  );
}

function SlotGroup({ label, children }: { label: string; children: React.ReactNode }) {
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
