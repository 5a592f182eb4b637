import { dayKey, dayKind, formatDay, formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { isBeforeToday } from './job-words.ts';

const tints = {
  today: 'schedule-strip schedule-strip--today',
  weekend: 'schedule-strip schedule-strip--weekend',
  other: 'schedule-strip',
} as const;

type Props = Readonly<{ scheduledAt: string | null; timeZone: string; isDone?: boolean }>;

/**
 * When the job is scheduled, tinted by the kind of day; of a day before today that it was, and as grey as what is done.
 * `scheduledAt` is an instant, read in the business's zone (IANA).
 */
export function ScheduleStrip({ scheduledAt, timeZone, isDone = false }: Props) {
  if (!scheduledAt) {
    return (
      <p className="schedule-strip schedule-strip--none">
        <Icon name="calendar" />
        Not scheduled yet
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
