import { useId, useRef, useState } from 'react';
import { jobSlotLabel } from '#core/values/time.ts';
import { dayKind, formatDateTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { Sheet } from '#site/ui/Sheet.tsx';
import { type BusyDays, bookingAt, clashInWords, nextFreeSlot, SchedulePicker } from './SchedulePicker.tsx';
import {
  type Chosen,
  type Clock,
  choiceInWords,
  chooseDay,
  chooseSlot,
  chosenInstant,
  dayInWords,
  nearDays,
  openChoice,
  openForJob,
  type ScheduleChoice,
  shortcutsFrom,
} from './schedule-choice.ts';

type Props = Readonly<{
  title: string;
  scheduledAt: string | null;
  /** A day without its time, or a time without its day: what is chosen so far. */
  begun?: Chosen | undefined;
  /** Whether the work is done: its time went by for good, and no other is suggested. */
  isFinished?: boolean;
  /** When the customer would like it, in their words. */
  wishedTime?: string;
  timeZone: string;
  /** What is on the schedule besides. */
  busy?: BusyDays;
  /** The instant that was chosen, or null for none; the sheet closes right after. */
  onDone(scheduledAt: string | null): void;
  onClose(): void;
}>;

/** The picker over the page: Done takes the choice over, anything else leaves all as it was. Mounted while it is open. */
export function ScheduleSheet(props: Props) {
  const { title, scheduledAt, begun, isFinished, wishedTime, timeZone, busy = {}, onDone, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [now] = useState(() => new Date());
  const clock = { timeZone, now };
  const [choice, setChoice] = useState(() => openForJob(scheduledAt, clock, { begun, isFinished }));
  const instant = chosenInstant(choice, timeZone);
  const finish = (chosen: string | null) => {
    onDone(chosen);
    dialog.current?.close();
  };
  return (
    <Sheet title={title} dialog={dialog} onClose={onClose} focusOn={'.cal [tabindex="0"]'}>
      <div className="panel__body panel__body--tight">
        {wishedTime && <p className="field__hint as-typed">{`Would like: ${wishedTime}`}</p>}
        {scheduledAt ? (
          <Shortcuts scheduledAt={scheduledAt} clock={clock} chosen={instant} onChoice={setChoice} />
        ) : (
          <NearDays choice={choice} clock={clock} onChoice={setChoice} />
        )}
        <SchedulePicker label={title} choice={choice} onChoice={setChoice} clock={clock} busy={busy} />
      </div>
      <Clash choice={choice} onChoice={setChoice} clock={clock} busy={busy} />
      <div className="panel__foot panel__foot--row">
        <p className="picker__sum" role="status">
          {choiceInWords(choice)}
        </p>
        <div className="picker__do">
          {(scheduledAt || begun) && (
            <button className="btn btn--quiet btn--lg" type="button" onClick={() => finish(null)}>
              Clear
            </button>
          )}
          <button
            className="btn btn--primary btn--lg"
            type="button"
            disabled={instant === null}
            onClick={() => finish(instant)}
          >
            Done
          </button>
        </div>
      </div>
    </Sheet>
  );
}

type ShortcutsProps = Readonly<{
  scheduledAt: string;
  clock: Clock;
  chosen: string | null;
  onChoice(choice: ScheduleChoice): void;
}>;

/** The days that a job is moved to most, each with its time: one press chooses both. */
function Shortcuts({ scheduledAt, clock, chosen, onChoice }: ShortcutsProps) {
  return (
    <div className="quick">
      {shortcutsFrom(scheduledAt, clock).map(({ label, at }) => (
        <button
          key={label}
          type="button"
          aria-pressed={at === chosen}
          onClick={() => onChoice(openChoice(at, clock))}
        >
          <span>{`${label} `}</span>
          <small>{formatDateTime(at, clock.timeZone, clock.now)}</small>
        </button>
      ))}
    </div>
  );
}

type NearDaysProps = Readonly<{
  choice: ScheduleChoice;
  clock: Clock;
  onChoice(choice: ScheduleChoice): void;
}>;

/** The days that a job without a time is put on most: the time is chosen next. */
function NearDays({ choice, clock, onChoice }: NearDaysProps) {
  return (
    <div className="quick">
      {nearDays(clock).map(({ label, day }) => (
        <button
          key={label}
          type="button"
          aria-pressed={day === choice.day}
          onClick={() => onChoice(chooseDay(choice, day, clock))}
        >
          <span>{`${label} `}</span>
          <small>{dayInWords(day)}</small>
        </button>
      ))}
    </div>
  );
}

type ClashProps = Readonly<{
  choice: ScheduleChoice;
  onChoice(choice: ScheduleChoice): void;
  clock: Clock;
  busy: BusyDays;
}>;

/** What the chosen time clashes with, and the next that is free: a warning, since two jobs may well be at one time. */
export function Clash({ choice, onChoice, clock, busy }: ClashProps) {
  const { day, slot } = choice;
  const booking = slot && bookingAt(busy, day, slot, clock.timeZone);
  const free = booking && day && slot && nextFreeSlot(busy, day, slot, clock);
  return (
    <div className="picker__clash" aria-live="polite">
      {booking && (
        <p className="hint--warn">
          <Icon name="triangle-alert" />
          <span>
            <span>{clashInWords(booking, clock.timeZone)}</span>
            {free && (
              <>
                <span>{' Next free: '}</span>
                <button type="button" onClick={() => onChoice(chooseSlot(choice, free, clock))}>
                  {jobSlotLabel(free)}
                </button>
              </>
            )}
          </span>
        </p>
      )}
    </div>
  );
}

type ScheduleButtonProps = Readonly<{
  /** The field's label; `title` heads the sheet. */
  label: string;
  title?: string;
  scheduledAt: string | null;
  /** A day without its time, or a time without its day: what is chosen so far. */
  begun?: Chosen | undefined;
  timeZone: string;
  /** What is on the schedule besides. */
  busy: BusyDays;
  onChange(scheduledAt: string | null): void;
  /** Why nothing can be chosen; shown in place of the time. */
  unavailable?: string;
  describedBy?: string | undefined;
}>;

/** A labelled button that shows when a job is scheduled and opens the sheet to choose that. */
export function ScheduleButton(props: ScheduleButtonProps) {
  const {
    label,
    title = label,
    scheduledAt,
    begun,
    timeZone,
    busy,
    onChange,
    unavailable,
    describedBy,
  } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const notYet = begun ? choiceInWords(begun) : 'Not scheduled yet';
  const shown = scheduledAt ? formatDateTime(scheduledAt, timeZone, new Date()) : notYet;
  const isToday = scheduledAt !== null && dayKind(scheduledAt, timeZone, new Date()) === 'today';
  return (
    <div className="field">
      <span className="field__label" id={`${id}-label`}>
        {label}
      </span>
      <button
        className="status-trigger"
        type="button"
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={describedBy}
        disabled={unavailable !== undefined}
        onClick={() => setOpen(true)}
      >
        <span className={isToday ? 'dot-icon dot-icon--today' : 'dot-icon'}>
          <Icon name="calendar" />
        </span>
        <span className="num" id={`${id}-value`}>
          {unavailable ?? shown}
        </span>
        <Icon name="chevron-down" />
      </button>
      {isOpen && (
        <ScheduleSheet
          title={title}
          scheduledAt={scheduledAt}
          begun={begun}
          timeZone={timeZone}
          busy={busy}
          onDone={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
