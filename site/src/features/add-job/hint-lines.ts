import { truncate } from '#core/values/text.ts';
import { listInWords } from '#site/lib/list-in-words.ts';
import { formatDateTime, formatDay } from '#site/lib/time/moments.ts';
import type { JobHints } from './job-hints-store.ts';

/** A sentence around the link to another job. */
export type HintLine = Readonly<{ id: string; before: string; title: string; behind: string }>;

/** Hints in words, with times on the clocks of an IANA zone. */
export function hintLines({ overlaps, repeats }: JobHints, timeZone: string, now: Date): HintLine[] {
  return [
    ...overlaps.map(({ id, title, name, scheduledAt }) => ({
      id,
      before: 'Overlaps with',
      title: truncate(title),
      behind: ` for ${truncate(name)}, ${formatDateTime(scheduledAt, timeZone, now)}`,
    })),
    ...repeats.map(({ id, title, createdAt, same }) => ({
      id,
      before: `Same ${listInWords(same)} as`,
      title: truncate(title),
      behind: `, added ${formatDay(createdAt, timeZone)}`,
    })),
  ];
}

/** The same in one text, for a toast. */
export function hintsInWords(hints: JobHints, timeZone: string, now: Date): string {
  const lines = hintLines(hints, timeZone, now).map(
    ({ before, title, behind }) => `${before} ${title}${behind}`,
  );
  return lines.join('. ');
}
