import { dayKey, dayKind, formatDay, formatTime } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';

const tints = {
  today: 'schedule-strip schedule-strip--today',
  weekend: 'schedule-strip schedule-strip--weekend',
  other: 'schedule-strip',
} as const;

/** When the job is scheduled, tinted by the kind of day. `scheduledAt` is an instant, read in the business's zone. */
export function ScheduleStrip({ scheduledAt, timeZone }: { scheduledAt: string | null; timeZone: string }) {
  if (!scheduledAt) {
    return (
      <p className="schedule-strip schedule-strip--none">
        <Icon name="calendar" />
        Not scheduled yet
      </p>
    );
  }
  const kind = dayKind(scheduledAt, timeZone, new Date());
  const day = formatDay(scheduledAt, timeZone);
  return (
    <p className={tints[kind]}>
      <Icon name="calendar" />
      <time dateTime={dayKey(scheduledAt, timeZone)}>{kind === 'today' ? `Today, ${day}` : day}</time>
      <b>{formatTime(scheduledAt, timeZone)}</b>
    </p>
  );
}
