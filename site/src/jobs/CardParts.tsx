import './card-parts.css';
import { useStore } from '@nanostores/react';
import { atom, onMount } from 'nanostores';
import type { JobCardView } from '#core/job/view.ts';
import { distanceWords, suburbIn } from '#core/values/place.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { dayKey, dayKind, formatAge, formatDay, formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { isBeforeToday } from './job-words.ts';

type Props = Readonly<{ job: Pick<JobCardView, 'name' | 'location'>; withDistance?: boolean }>;

type PlaceProps = Readonly<{ location: JobCardView['location']; withStreet?: boolean | undefined }>;

/** Where a job is and how far: the suburb or, where none is known or `withStreet`, the whole address. Parts of a line. */
export function PlaceParts({ location, withStreet = false }: PlaceProps) {
  const base = useStore($session, { ssr: () => null })?.user?.base ?? null;
  const distance = distanceWords(base, location);
  return (
    <>
      <span>{(!withStreet && suburbIn(location.address)) || location.address}</span>
      {distance && <span className="num">{distance}</span>}
    </>
  );
}

/** How many pictures there are to look at; nothing where there is none. A part of a line. */
export function PictureCount({ pictures }: Pick<JobCardView, 'pictures'>) {
  if (!pictures) return null;
  return (
    <span className="pics num">
      <Icon name="camera" />
      <span>{pictures}</span>
      <span className="sr">{` ${pictures === 1 ? 'photo' : 'photos'}`}</span>
    </span>
  );
}

/** Whose job it is, in which suburb, and how far from the tradie's base: what is unknown is left out. */
export function Who({ job: { name, location }, withDistance = true }: Props) {
  const base = useStore($session, { ssr: () => null })?.user?.base ?? null;
  const suburb = suburbIn(location.address);
  const distance = withDistance ? distanceWords(base, location) : null;
  return (
    <p className="who">
      <strong>{name}</strong>
      {suburb && <span>{suburb}</span>}
      {distance && <span className="num">{distance}</span>}
    </p>
  );
}

/** How long ago an instant is, refreshed each minute and never announced. `timeZone` is the business's (IANA). */
export function Age({ at, timeZone }: { at: string; timeZone: string }) {
  const now = useStore($minute);
  return (
    <span className="age">
      <Icon name="clock" />
      <time dateTime={at}>{formatAge(at, timeZone, new Date(now))}</time>
    </span>
  );
}

const minute = atom<number>(Date.now());

/** Now in ms since the epoch, a minute old at most while something on the page reads it. */
export const $minute = minute;

onMount(minute, () => {
  minute.set(Date.now());
  const timer = setInterval(() => minute.set(Date.now()), 60_000);
  return () => clearInterval(timer);
});

const tints = {
  today: 'schedule-strip schedule-strip--today',
  weekend: 'schedule-strip schedule-strip--weekend',
  other: 'schedule-strip',
} as const;

type ScheduleStripProps = Readonly<{ scheduledAt: string | null; timeZone: string; isDone?: boolean }>;

/**
 * When the job is scheduled, tinted by the kind of day; of a day before today that it was, and as grey as what is done.
 * `scheduledAt` is an instant, read in the business's zone (IANA).
 */
export function ScheduleStrip({ scheduledAt, timeZone, isDone = false }: ScheduleStripProps) {
  if (!scheduledAt) {
    return (
      <p className="schedule-strip schedule-strip--none">
        <Icon name="calendar" />
        <span>Not scheduled yet</span>
      </p>
    );
  }
  const now = new Date();
  const kind = dayKind(scheduledAt, timeZone, now);
  const isBefore = isBeforeToday(scheduledAt, timeZone, now);
  const day = formatDay(scheduledAt, timeZone);
  return (
    <p className={isBefore || isDone ? tints.weekend : tints[kind]}>
      <Icon name="calendar" />
      <time dateTime={dayKey(scheduledAt, timeZone)}>
        {kind === 'today' ? `Today, ${day}` : isBefore ? `Was ${day}` : day}
      </time>
      <b>{formatTime(scheduledAt, timeZone)}</b>
    </p>
  );
}
