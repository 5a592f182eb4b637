import { useLayoutEffect, useMemo, useRef } from 'react';
import type { ListAppearance } from '#site/jobs/list/list-appearance-store.ts';
import { addDays, type Day } from '#site/lib/time/calendar.ts';
import { DaySection } from './DaySection.tsx';
import { MonthRail } from './MonthRail.tsx';
import { rangesOf, scheduleDays } from './schedule-days.ts';
import { mostPerRange, type Schedule } from './schedule-store.ts';
import { showDay } from './show-day.ts';

/** How many days from yesterday on are there with their jobs at first sight. */
const daysAtFirst = 8;

/** Day by day, opened at today before anything is seen. */
export function ScheduleDays({ schedule, appearance }: { schedule: Schedule; appearance: ListAppearance }) {
  const list = useRef<HTMLDivElement>(null);
  const { today, counts, more } = schedule;
  const days = useMemo(() => scheduleDays(today), [today]);
  const ranges = useMemo(() => (more ? rangesOf(days, counts, mostPerRange) : []), [days, counts, more]);
  const yesterday = addDays(today, -1);
  useLayoutEffect(() => {
    if (list.current) showDay(list.current, today);
  }, [today]);

  function jump(day: Day): void {
    if (!list.current) return;
    showDay(list.current, day);
    list.current
      .querySelector<HTMLElement>(`[data-day="${day}"] .day-heading`)
      ?.focus({ preventScroll: true });
  }

  return (
    <div className="sched__cols">
      <MonthRail schedule={schedule} days={days} onDay={jump} />
      <div
        ref={list}
        className={appearance === 'cards' ? 'sched__days sched__days--cards' : 'sched__days'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        tabIndex={0}
        role="region"
        aria-label="Jobs by day"
      >
        {days.map((day) => (
          <DaySection
            key={day}
            day={day}
            schedule={schedule}
            range={ranges.find(({ from, to }) => from <= day && day <= to) ?? null}
            startsNear={yesterday <= day && day < addDays(yesterday, daysAtFirst)}
          />
        ))}
      </div>
    </div>
  );
}
