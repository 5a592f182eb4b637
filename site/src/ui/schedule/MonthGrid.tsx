import { type KeyboardEvent, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { type Day, monthTitle, spokenDay, weekdayNames, weeksOf } from '#site/lib/time/calendar.ts';
import { dayKey } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { BusyDays } from './busy.ts';
import {
  type Clock,
  canShowMonth,
  chooseDay,
  isDayOpen,
  moveFocus,
  type ScheduleChoice,
  showMonth,
} from './schedule-choice.ts';

type Props = Readonly<{
  choice: ScheduleChoice;
  onChoice(choice: ScheduleChoice): void;
  clock: Clock;
  /** What the days have dots for. */
  busy: BusyDays;
}>;

/** A month to choose a day from: one stop of the Tab key, arrows between the days. */
export function MonthGrid({ choice, onChoice, clock, busy }: Props) {
  const title = useId();
  const grid = useRef<HTMLTableElement>(null);
  const today = dayKey(clock.now, clock.timeZone);

  const jobsOn = (day: Day) => busy[day]?.count ?? 0;
  const isOver = (week: readonly (Day | null)[]) => (week.findLast(Boolean) ?? '') < today;

  function onKeyDown(event: KeyboardEvent): void {
    const moved = moveFocus(choice, event, clock);
    if (!moved) return;
    event.preventDefault();
    flushSync(() => onChoice(moved));
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  const dayButton = (day: Day) => (
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
  );

  return (
    <>
      <div className="picker__head">
        <MonthButton step={-1} {...{ choice, onChoice, clock }} />
        <strong id={title} aria-live="polite">
          {monthTitle(choice.month)}
        </strong>
        <MonthButton step={1} {...{ choice, onChoice, clock }} />
      </div>
      <table
        ref={grid}
        className="cal cal--compact"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of buttons with arrows is a grid
        role="grid"
        aria-labelledby={title}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {weekdayNames.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(choice.month).map((week) => (
            <tr key={week.find(Boolean)} className={isOver(week) ? 'is-over' : undefined}>
              {week.map((day, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns are the days of the week
                <td key={place}>{day && dayButton(day)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function jobsInWords(count: number): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? '1 job' : `${count} jobs`];
}

function MonthButton({ step, choice, onChoice, clock }: Omit<Props, 'busy'> & { step: -1 | 1 }) {
  return (
    <button
      className="picker__nav"
      type="button"
      aria-label={step < 0 ? 'Previous month' : 'Next month'}
      disabled={!canShowMonth(choice, step, clock)}
      onClick={() => onChoice(showMonth(choice, step, clock))}
    >
      <Icon name={step < 0 ? 'chevron-left' : 'chevron-right'} />
    </button>
  );
}
