import { messageLabels } from '#core/job/customer/customer-messages.ts';
import { withPhotos } from '#core/job/request/words.ts';
import { type HistoryClock, historyWords } from '#site/jobs/history/history-words.ts';
import { formatDateTime, formatDay, formatTime } from '#site/lib/time/moments.ts';
import { wallTime } from '#site/lib/time/zone.ts';
import type { Change } from './changes.ts';

const minuteLength = 60_000;

type Entry = Change['entries'][number];

/** `Sun 04 Jan 2026, 6:40:12PM` on the clocks of an IANA zone. */
export function exactMoment(instant: string, timeZone: string): string {
  const seconds = String(new Date(instant).getUTCSeconds()).padStart(2, '0');
  const time = formatTime(instant, timeZone).replace(/(?=[AP]M$)/, `:${seconds}`);
  return `${formatDay(instant, timeZone)} ${wallTime(instant, timeZone).year}, ${time}`;
}

/** How far a zone is from UTC at an instant: `UTC+11`, `UTC+9:30`. */
export function offsetWords(instant: string, timeZone: string): string {
  const { year, month, day, hour, minute } = wallTime(instant, timeZone);
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  const minutes = (wall - Math.floor(Date.parse(instant) / minuteLength) * minuteLength) / minuteLength;
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/** The place of a zone as people call it: `Melbourne`. */
export function placeOf(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}

/** What an entry says on paper, where who did it stands beside it: `Status To quote to In progress`. */
export function recordWords(
  entry: Entry,
  clock: Readonly<{ timeZone: string; now: Date; createdAt: string }>,
): string {
  const what = actionOf(entry, clock);
  if (!entry.undo) return what;
  return `Undid a change: ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
}

function actionOf(entry: Entry, clock: Readonly<{ timeZone: string; now: Date; createdAt: string }>): string {
  const when = (instant: string) => formatDateTime(instant, clock.timeZone, clock.now);
  switch (entry.what) {
    case 'requested':
      return `Sent the job from the job form${withPhotos(entry)}`;
    case 'ordered':
      return 'Sent the work order';
    case 'accepted':
      return `Accepted. Status ${entry.from} to ${entry.to}`;
    case 'rejected':
      return `Rejected. Status ${entry.from} to ${entry.to}`;
    case 'status':
      return `Status ${entry.from} to ${entry.to}`;
    case 'schedule':
      if (entry.to === null) return `Taken off the schedule, it was ${entry.from && when(entry.from)}`;
      return entry.from === null
        ? `Schedule ${when(entry.to)}`
        : `Schedule ${when(entry.from)} to ${when(entry.to)}`;
    case 'notes':
      if (entry.to === '') return 'Notes cleared';
      // Erased on both sides: how long they were is not known any more.
      if (entry.from === entry.to) return 'Notes changed';
      return `Notes ${entry.from === '' ? 'written' : 'changed'}, ${entry.to.length} characters`;
    case 'message':
      return `“${messageLabels[entry.to]}” message opened`;
    default: {
      const { what, to } = historyWords({ ...entry, undo: false }, clock);
      const words = `${what} ${to}`.trim();
      return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
    }
  }
}

/** 64 hex digits in eight groups of eight, to be compared by eye. */
export function inGroups(fingerprint: string): string {
  return fingerprint.match(/.{1,8}/g)?.join(' ') ?? '';
}

/** A change as a sentence, as the history has it: `You moved it from … to …`. */
export function changeWords({ entries }: Change, clock: HistoryClock): string {
  return entries
    .map((entry) => {
      const { who, what, to } = historyWords(entry, clock);
      return [who, what, to].filter(Boolean).join(' ');
    })
    .join('. ');
}

/** What a change replaced, and by what. An empty text was, or is, not there. */
export type Difference = Readonly<{ label: string; from: string; to: string }>;

/** The values that a change replaced; none where it only says that something happened. */
export function differencesOf({ entries }: Change, { timeZone, now }: HistoryClock): Difference[] {
  const when = (instant: string | null) => (instant === null ? '' : formatDateTime(instant, timeZone, now));
  return entries.flatMap((entry: Entry): Difference[] => {
    switch (entry.what) {
      case 'accepted':
      case 'rejected':
      case 'status':
        return [{ label: 'Status', from: entry.from, to: entry.to }];
      case 'schedule':
        return [{ label: 'Schedule', from: when(entry.from), to: when(entry.to) }];
      case 'notes':
        return [{ label: 'Notes', from: entry.from, to: entry.to }];
      default:
        return [];
    }
  });
}
