import { type HistoryClock, historyWords } from '#site/jobs/history/history-words.ts';
import { formatDateTime } from '#site/lib/time/moments.ts';
import type { Change } from './changes.ts';

type Entry = Change['entries'][number];

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
