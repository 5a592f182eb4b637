import { useStore } from '@nanostores/react';
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  memo,
  Suspense,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { JobRowSkeleton } from '#site/jobs/JobRow.tsx';
import { JobGrid } from '#site/jobs/list/JobGrid.tsx';
import { $question } from '#site/jobs/list/job-list-page-store.ts';
import { ListHead, ViewChips } from '#site/jobs/list/ListHead.tsx';
import {
  $listAppearances,
  type ListAppearance,
  usualAppearances,
} from '#site/jobs/list/list-appearance-store.ts';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import { type DayRange, mostPerRange, type Schedule, schedule } from '#site/jobs/schedule-store.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { addDays, type Day } from '#site/lib/time/calendar.ts';
import { Announcement } from '#site/ui/Announcement.tsx';
import { FaultBoundary } from '#site/ui/FaultBoundary.tsx';
import { $isWide } from '#site/ui/screen-store.ts';
import type { MonthRail as Rail } from './MonthRail.tsx';
import { blockSize, followBar, SlotBlock, showDay } from './SlotBlock.tsx';
import { blockStarts, dayHeading, dayTint, jobsInWords, rangesOf, scheduleDays } from './schedule-days.ts';

type Props = Readonly<{ day: Day; schedule: Schedule; range: DayRange | null; startsNear: boolean }>;

/** One day: its heading, always there, and its jobs. */
const DaySection = memo(function DaySection({ day, schedule, range, startsNear }: Props) {
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

type RailProps = ComponentProps<typeof Rail>;

// A phone has no room for the month beside the days; where it cannot be loaded, the days stand alone.
const MonthRail = lazy(async (): Promise<{ default: ComponentType<RailProps> }> => {
  const loaded = await import('./MonthRail.tsx').catch(() => null);
  return { default: loaded?.MonthRail ?? (() => null) };
});

/** How many days from yesterday on are there with their jobs at first sight. */
const daysAtFirst = 8;

/** Day by day, opened at today before anything is seen. */
function ScheduleDays({ schedule, appearance }: { schedule: Schedule; appearance: ListAppearance }) {
  const list = useRef<HTMLDivElement>(null);
  const { today, counts, more } = schedule;
  const days = useMemo(() => scheduleDays(today), [today]);
  const ranges = useMemo(() => (more ? rangesOf(days, counts, mostPerRange) : []), [days, counts, more]);
  const isWide = useStore($isWide);
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
      {isWide && (
        <Suspense fallback={<RailSkeleton />}>
          <MonthRail schedule={schedule} days={days} onDay={jump} />
        </Suspense>
      )}
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

/** Today and the days around it; a search shows the jobs it finds there instead. */
export function SchedulePage() {
  const question = useStore($question, { ssr: () => null });
  return (
    <FaultBoundary>
      <div className="sched__bar" ref={followBar}>
        <ListHead view="today" />
        <ViewChips current="today" />
      </div>
      {question?.search ? (
        <div className="sched__found">
          <h2 className="sr">Jobs</h2>
          <JobGrid key={JSON.stringify(question)} question={question} />
        </div>
      ) : (
        <Days />
      )}
      <Announcement />
    </FaultBoundary>
  );
}

function Days() {
  const state = useQuery(schedule);
  const appearance = useStore($listAppearances, { ssr: () => usualAppearances }).days;
  const { data, status, error } = state;
  if (data) {
    return (
      <>
        <OfflineNote shown={state} />
        <ScheduleDays key={appearance} schedule={data} appearance={appearance} />
      </>
    );
  }
  if (status === 'pending') {
    return (
      <>
        <OfflineNote shown={state} />
        <ScheduleSkeleton />
      </>
    );
  }
  return (
    <div className="empty" role="alert">
      <h2>The schedule could not be loaded</h2>
      <p>{error?.message}</p>
      <button type="button" className="btn btn--secondary" onClick={() => void schedule.refresh()}>
        Try again
      </button>
    </div>
  );
}

function RailSkeleton() {
  return (
    <div className="sched__rail" aria-hidden="true">
      <div className="card rail-card">
        <span className="sk sk--block sk--month" />
      </div>
    </div>
  );
}

/** The schedule on its way: the month and some days, where they will be. */
function ScheduleSkeleton() {
  return (
    <div className="sched__cols" aria-hidden="true">
      <RailSkeleton />
      <div className="sched__days sched__days--waiting">
        {[1, 2, 3].map((place) => (
          <div key={place} className="day">
            <div className="day-heading">
              <span className="sk sk--title" />
            </div>
            <JobRowSkeleton />
          </div>
        ))}
      </div>
    </div>
  );
}
