import { useStore } from '@nanostores/react';
import { type CSSProperties, type RefObject, startTransition, useEffect, useRef, useState } from 'react';
import { isAhead } from '#core/job/status/statuses.ts';
import { $minute } from '#site/jobs/CardParts.tsx';
import { JobCard } from '#site/jobs/JobCard.tsx';
import { JobRow } from '#site/jobs/JobRow.tsx';
import { $jobCards } from '#site/jobs/job-stores.ts';
import { $listAppearances, usualAppearances } from '#site/jobs/list/list-appearance-store.ts';
import { type DayRange, pageOf, type Schedule, scheduleRange } from '#site/jobs/schedule-store.ts';
import { useQuery } from '#site/lib/http/query.ts';
import type { Day } from '#site/lib/time/calendar.ts';
import { $isWide } from '#site/ui/screen-store.ts';
import { $isWhole, inQuiet } from './whole-schedule.ts';

const margin = '800px 0px';

/** Whether an element of the schedule is within 800 px of what is in sight, and how tall it was when last it was. */
function useNear(
  element: RefObject<HTMLElement | null>,
  startsNear: boolean,
): Readonly<{ isNear: boolean; height: number | null }> {
  const isWide = useStore($isWide, { ssr: 'initial' });
  const [near, setNear] = useState<{ isNear: boolean; height: number | null }>({
    isNear: startsNear,
    height: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width has another scroller
  useEffect(() => {
    const target = element.current;
    const list = target?.closest<HTMLElement>('.sched__days');
    if (!target || !list) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setNear((before) => (before.isNear ? before : { ...before, isNear: true }));
        else if (!target.contains(document.activeElement)) {
          const { height } = entry.boundingClientRect;
          setNear((before) => (before.isNear ? { isNear: false, height } : before));
        }
      },
      { root: scrollsItself(list) ? list : null, rootMargin: margin },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [element, isWide]);
  return near;
}

/** Jobs that are mounted and unmounted together. */
export const blockSize = 20;

type Props = Readonly<{
  schedule: Schedule;
  day: Day;
  /** The first of the day's jobs in here, and how many there are. */
  start: number;
  length: number;
  /** Where the whole schedule is too much for one answer: the days that hold this one. */
  range: DayRange | null;
  startsNear: boolean;
}>;

/**
 * Whether jobs that are not near are mounted all the same, for the browser to find and print: those that are loaded in a quiet moment,
 * the others once the whole is asked for.
 */
function useMounted(isLoaded: boolean): boolean {
  const isWhole = useStore($isWhole, { ssr: 'initial' });
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (isLoaded) inQuiet(() => startTransition(() => setQuiet(true)));
  }, [isLoaded]);
  return isWhole || isQuiet;
}

/** Some jobs of a day. Far ones are drawn as they come near, or as the whole is printed: until then they are as tall as they were, or may be. */
export function SlotBlock({ startsNear, ...props }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const { isNear, height } = useNear(element, startsNear);
  const isMounted = useMounted(!props.range) || isNear;
  const size = height === null ? `calc(${props.length} * var(--slot-h))` : `${height}px`;
  const far: CSSProperties = isMounted ? { containIntrinsicBlockSize: size } : { blockSize: size };
  return (
    <div ref={element} className={isNear ? undefined : 'slots-far'} style={isNear ? undefined : far}>
      {isMounted &&
        (props.range ? <RangeSlots {...props} range={props.range} /> : <LoadedSlots {...props} />)}
    </div>
  );
}

type SlotsProps = Omit<Props, 'startsNear' | 'range'>;

function LoadedSlots({ schedule, day, ...rest }: SlotsProps) {
  const isToday = day === schedule.today;
  return <Slots ids={schedule.jobs[day] ?? []} timeZone={schedule.timeZone} isToday={isToday} {...rest} />;
}

function RangeSlots({ schedule, day, range, start, length }: SlotsProps & { range: DayRange }) {
  const { page, before } = pageOf(start);
  const { data } = useQuery(scheduleRange(range, page));
  if (!data) {
    return (
      <div style={{ blockSize: `calc(${length} * var(--slot-h))` }} aria-busy="true">
        <p className="on-paper">Still loading. Please print once more.</p>
      </div>
    );
  }
  const { timeZone, today } = schedule;
  // A page but the first does not know whether the next job is before it.
  const isToday = day === today && before === 0;
  return (
    <Slots
      ids={data[day] ?? []}
      timeZone={timeZone}
      isToday={isToday}
      start={start - before}
      length={length}
    />
  );
}

type IdsProps = Readonly<{
  ids: readonly string[];
  timeZone: string;
  /** Whether the next job to go to may be among these. */
  isToday: boolean;
  start: number;
  length: number;
}>;

function Slots({ ids, timeZone, isToday, start, length }: IdsProps) {
  const shown = ids.slice(start, start + length);
  const cards = useStore($jobCards, { keys: isToday ? [...ids] : [...shown], ssr: 'initial' });
  const appearance = useStore($listAppearances, { ssr: () => usualAppearances }).days;
  const jobs = shown.flatMap((id) => cards[id] ?? []);
  const now = new Date(useStore($minute));
  const isNext = (id: string) => cards[id] !== undefined && isAhead(cards[id], now);
  const nextId = isToday ? ids.find(isNext) : undefined;
  if (appearance === 'rows') {
    return jobs.map((job) => (
      <JobRow key={job.id} job={job} timeZone={timeZone} withStreet isNow={job.id === nextId} />
    ));
  }
  return (
    <div className="job-grid">
      {jobs.map((job) => (
        <JobCard key={job.id} job={job} timeZone={timeZone} />
      ))}
    </div>
  );
}

/** Brings a day to the top of the list at once, the heading of an empty day before it still in sight. */
export function showDay(list: HTMLElement, day: Day): void {
  const section = list.querySelector<HTMLElement>(`[data-day="${day}"]`);
  if (!section) return;
  const before = section.previousElementSibling;
  const top = (before?.matches('.day--empty') ? before : section).getBoundingClientRect().top;
  if (scrollsItself(list)) {
    list.scrollTop += top - list.getBoundingClientRect().top - list.clientTop;
    return;
  }
  const heading = section.querySelector('.day-heading') ?? section;
  // Where headings stick: below whichever bars the page has at this size.
  const bars = Number.parseFloat(getComputedStyle(heading).top) || 0;
  window.scrollTo({ top: window.scrollY + top - bars, behavior: 'instant' });
}

/** On a laptop the list scrolls beside the month, on a phone the whole page does. */
function scrollsItself(list: HTMLElement): boolean {
  return getComputedStyle(list).overflowY !== 'visible';
}

/** How much of the window a bar takes, in pixels: nothing where it scrolls away. */
function stuckHeight(bar: HTMLElement): number {
  return getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0;
}

/** Places the headings of days right below a phone's bar, which grows by its search. */
export function followBar(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const place = () => {
    document.documentElement.style.setProperty('--_bar', `${Math.max(stuckHeight(bar) - 1, 0)}px`);
  };
  const observer = new ResizeObserver(place);
  observer.observe(bar);
  place();
  return () => observer.disconnect();
}
