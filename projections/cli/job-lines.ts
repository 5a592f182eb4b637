import type { HistoryEntry } from '#api/jobs/history.ts';
import type { JobView } from '#core/job/view.ts';
import { instantWords } from '#core/values/time.ts';

/** A job and its history for people, times in the business's zone: one field a line, texts of several lines indented. */
export function jobLines(job: JobView, history: readonly HistoryEntry[], timeZone: string): string[] {
  const when = (instant: string | null) => (instant === null ? '' : instantWords(instant, timeZone));
  const fields: Record<string, string | undefined> = {
    job: job.id,
    title: job.title,
    status: job.status,
    customer: job.name,
    email: job.email,
    phone: job.phone,
    address: job.location.address,
    scheduled: when(job.scheduledAt),
    notes: indented(job.notes),
  };
  const shown = Object.entries(fields).filter(([, text]) => text);
  return [
    ...shown.map(([name, text]) => `${name.padEnd(10)}${text}`),
    '',
    ...history.flatMap((entry) => [`${when(entry.at)}  ${entry.text}`, ...notesOf(entry)]),
  ];
}

/** What the notes said before and after. */
function notesOf(entry: HistoryEntry): string[] {
  if (entry.what !== 'notes') return [];
  return [`  from: ${indented(entry.from ?? '')}`, `  to:   ${indented(entry.to ?? '')}`];
}

function indented(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(10)}`);
}
