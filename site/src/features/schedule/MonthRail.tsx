import { useState } from 'react';
import type { Schedule } from '#site/jobs/schedule-store.ts';
import { addMonths, type Day, dayByKey, dayInMonth, monthOf, spokenDay } from '#site/lib/time/calendar.ts';
import { MonthGrid } from '#site/ui/schedule/MonthGrid.tsx';

type Props = Readonly<{ schedule: Schedule; days: readonly Day[]; onDay(day: Day): void }>;

const legend = [
  ['today', 'Today'],
  ['other', 'Weekday'],
  ['weekend', 'Weekend'],
] as const;

/** A month beside the schedule: a dot where there are jobs, and a way to every day. One stop of the Tab key. */
export function MonthRail({ schedule: { today, counts }, days, onDay }: Props) {
  const [first = today, last = today] = [days[0], days.at(-1)];
  const [focus, setFocus] = useState(today);
  const moveTo = (day: Day) => setFocus(day < first ? first : day > last ? last : day);
  const beside = (count: -1 | 1) => addMonths(monthOf(focus), count);
  return (
    <aside className="sched__rail" aria-label="Jump to a day">
      <div className="card rail-card">
        <MonthGrid
          month={monthOf(focus)}
          className="cal--mini"
          canStep={(count) => beside(count) >= monthOf(first) && beside(count) <= monthOf(last)}
          onStep={(count) => moveTo(dayInMonth(focus, beside(count)))}
          onKey={(pressed) => {
            const wanted = dayByKey(pressed, focus);
            return wanted === null ? null : () => moveTo(wanted);
          }}
        >
          {(day) => (
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
          )}
        </MonthGrid>
        <ul className="legend">
          {legend.map(([tint, label]) => (
            <li key={tint}>
              <i className={`lg lg--${tint}`} />
              <span>{label}</span>
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
