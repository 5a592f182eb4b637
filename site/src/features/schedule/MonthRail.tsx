import { useId, useState } from 'react';
import { Icon } from '#site/components/ui/Icon.tsx';
import {
  addMonths,
  type Day,
  monthOf,
  monthTitle,
  spokenDay,
  weekdayNames,
  weeksOf,
} from '#site/lib/calendar.ts';
import type { Schedule } from './schedule-store.ts';

type Props = Readonly<{ schedule: Schedule; days: readonly Day[]; onDay(day: Day): void }>;

/** A month beside the schedule: a dot where there are jobs, and a way to every day. */
export function MonthRail({ schedule: { today, counts }, days, onDay }: Props) {
  const title = useId();
  const [month, setMonth] = useState(monthOf(today));
  const [first = today, last = today] = [days[0], days.at(-1)];
  const step = (count: -1 | 1, label: string) => {
    const wanted = addMonths(month, count);
    return (
      <button
        className="picker__nav"
        type="button"
        aria-label={label}
        disabled={wanted < monthOf(first) || wanted > monthOf(last)}
        onClick={() => setMonth(wanted)}
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
      onClick={() => onDay(day)}
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
        <table className="cal cal--mini" aria-labelledby={title}>
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
          {[
            ['today', 'Today'],
            ['other', 'Weekday'],
            ['weekend', 'Weekend'],
          ].map(([tint, label]) => (
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
            setMonth(monthOf(today));
            onDay(today);
          }}
        >
          Back to today
        </button>
      </div>
    </aside>
  );
}
