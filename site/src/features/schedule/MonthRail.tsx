import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Schedule } from '#site/jobs/schedule-store.ts';
import {
  addMonths,
  type Day,
  dayByKey,
  dayInMonth,
  monthOf,
  monthTitle,
  spokenDay,
  weekdayNames,
  weeksOf,
} from '#site/lib/time/calendar.ts';
import { Icon } from '#site/ui/Icon.tsx';

type Props = Readonly<{ schedule: Schedule; days: readonly Day[]; onDay(day: Day): void }>;

const legend = [
  ['today', 'Today'],
  ['other', 'Weekday'],
  ['weekend', 'Weekend'],
] as const;

/** A month beside the schedule: a dot where there are jobs, and a way to every day. One stop of the Tab key. */
export function MonthRail({ schedule: { today, counts }, days, onDay }: Props) {
  const title = useId();
  const grid = useRef<HTMLTableElement>(null);
  const [first = today, last = today] = [days[0], days.at(-1)];
  const [focus, setFocus] = useState(today);
  const month = monthOf(focus);
  const moveTo = (day: Day) => setFocus(day < first ? first : day > last ? last : day);

  function onKeyDown(event: KeyboardEvent): void {
    const wanted = dayByKey(event, focus);
    if (!wanted) return;
    event.preventDefault();
    flushSync(() => moveTo(wanted));
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  const step = (count: -1 | 1, label: string) => {
    const wanted = addMonths(month, count);
    return (
      <button
        className="picker__nav"
        type="button"
        aria-label={label}
        disabled={wanted < monthOf(first) || wanted > monthOf(last)}
        onClick={() => moveTo(dayInMonth(focus, wanted))}
      >
        <Icon name={count < 0 ? 'chevron-left' : 'chevron-right'} />
      </button>
    );
  };
  const dayButton = (day: Day) => (
    <button
      type="button"
      className={counts[day] ? 'has-jobs' : undefined}
      aria-label={counts[day] ? `${spokenDay(day)}, has jobs` : spokenDay(day)}
      aria-current={day === today ? 'date' : undefined}
      disabled={day < first || day > last}
      tabIndex={day === focus ? 0 : -1}
      onClick={() => {
        setFocus(day);
        onDay(day);
      }}
    >
      {Number(day.slice(8))}
    </button>
  );
  return (
    <aside className="sched__rail" aria-label="Jump to a day">
      <div className="card rail-card">
        <div className="picker__head">
          {step(-1, 'Previous month')}
          <strong id={title} aria-live="polite">
            {monthTitle(month)}
          </strong>
          {step(1, 'Next month')}
        </div>
        <table
          ref={grid}
          className="cal cal--mini"
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
            {weeksOf(month).map((week) => (
              <tr key={week.find(Boolean)}>
                {week.map((day, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns are the days of the week
                  <td key={place}>{day && dayButton(day)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <ul className="legend">
          {legend.map(([tint, label]) => (
            <li key={tint}>
              <i className={`lg lg--${tint}`} />
              {label}
            </li>
          ))}
        </ul>
        <button
          className="btn btn--secondary btn--sm btn--block"
          type="button"
          onClick={() => {
            setFocus(today);
            onDay(today);
          }}
        >
          Back to today
        </button>
      </div>
    </aside>
  );
}
