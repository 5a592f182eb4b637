import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import { $jobCards } from '#site/features/jobs/job-cards-store.ts';
import type { Day } from '#site/lib/calendar.ts';
import { useQuery } from '#site/lib/use-query.ts';
import { Slot } from './Slot.tsx';
import type { DayRange } from './schedule-days.ts';
import { type Schedule, scheduleRange } from './schedule-store.ts';
import { useNear } from './use-near.ts';

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

/** Some jobs of a day, mounted only while they are near: elsewhere as tall as they were, or may be. */
export function SlotBlock({ startsNear, ...props }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const { isNear, height } = useNear(element, startsNear);
  const blockSize = height === null ? `calc(${props.length} * var(--slot-h))` : `${height}px`;
  return (
    <div ref={element} style={isNear ? undefined : { blockSize }}>
      {isNear && (props.range ? <RangeSlots {...props} range={props.range} /> : <KnownSlots {...props} />)}
    </div>
  );
}

type SlotsProps = Omit<Props, 'startsNear' | 'range'>;

function KnownSlots({ schedule, day, ...rest }: SlotsProps) {
  return <Slots ids={schedule.jobs[day] ?? []} timeZone={schedule.timeZone} {...rest} />;
}

function RangeSlots({ schedule, day, range, ...rest }: SlotsProps & { range: DayRange }) {
  const { data } = useQuery(scheduleRange(range));
  if (!data) return <div style={{ blockSize: `calc(${rest.length} * var(--slot-h))` }} aria-busy="true" />;
  return <Slots ids={data[day] ?? []} timeZone={schedule.timeZone} {...rest} />;
}

type IdsProps = Readonly<{ ids: readonly string[]; timeZone: string; start: number; length: number }>;

function Slots({ ids, timeZone, start, length }: IdsProps) {
  const shown = ids.slice(start, start + length);
  const cards = useStore($jobCards, { keys: [...shown], ssr: 'initial' });
  return shown
    .flatMap((id) => cards[id] ?? [])
    .map((job) => <Slot key={job.id} job={job} timeZone={timeZone} />);
}
