import { memo } from 'react';
import type { Day } from '#site/lib/time/calendar.ts';
import { blockSize, SlotBlock } from './SlotBlock.tsx';
import { blockStarts, type DayRange, dayHeading, dayTint, jobsInWords } from './schedule-days.ts';
import type { Schedule } from './schedule-store.ts';

type Props = Readonly<{ day: Day; schedule: Schedule; range: DayRange | null; startsNear: boolean }>;

/** One day: its heading, always there, and its jobs. */
export const DaySection = memo(function DaySection({ day, schedule, range, startsNear }: Props) {
  const { today, counts } = schedule;
  const count = counts[day] ?? 0;
  return (
    <section className={count === 0 ? 'day day--empty' : 'day'} data-day={day}>
      <h2 className={`day-heading day-heading--${dayTint(day, today)}`} tabIndex={-1}>
        <span>{dayHeading(day, today)}</span>
        <small>{jobsInWords(count)}</small>
      </h2>
      {blockStarts(count, blockSize).map((start) => (
        <SlotBlock
          key={start}
          schedule={schedule}
          day={day}
          start={start}
          length={Math.min(blockSize, count - start)}
          range={range}
          startsNear={startsNear && start === 0}
        />
      ))}
    </section>
  );
});
