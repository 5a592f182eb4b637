import type { JobStatus } from '#core/job/statuses.ts';
import { statusAppearance } from '#site/jobs/status-appearance.ts';
import { dayKey, formatDay, formatTime } from '#site/lib/time/moments.ts';
import type { IconName } from '#site/ui/icons.ts';
import type { HistoryEntry } from './history-store.ts';

const icons: Record<HistoryEntry['what'], IconName | 'ute'> = {
  requested: 'inbox',
  ordered: 'ute',
  added: 'plus',
  opened: 'eye',
  'contact-seen': 'eye',
  'not-needed': 'ban',
  accepted: 'check',
  rejected: 'circle-x',
  status: 'refresh-cw',
  schedule: 'calendar-clock',
  notes: 'sticky-note',
  message: 'send',
  undelivered: 'triangle-alert',
  unreadable: 'circle-alert',
};

/** The sign of an entry; one that led to a status has that status's sign and colours. */
export function historyAppearance({ what, to }: Pick<HistoryEntry, 'what' | 'to'>): {
  icon: IconName | 'ute';
  tone?: string;
} {
  if (what === 'requested' || what === 'ordered') return { icon: icons[what], tone: 'pending' };
  const isMove = what === 'accepted' || what === 'rejected' || what === 'status';
  return isMove && to !== null ? statusAppearance[to as JobStatus] : { icon: icons[what] };
}

/** `Today, 7:14AM`, or `Sun 04 Jan, 6:55PM`. */
export function historyTime(at: string, timeZone: string, now: Date): string {
  const isToday = dayKey(at, timeZone) === dayKey(now, timeZone);
  return `${isToday ? 'Today' : formatDay(at, timeZone)}, ${formatTime(at, timeZone)}`;
}
