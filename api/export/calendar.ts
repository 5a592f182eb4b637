import type { JobCardView } from '#core/job/view.ts';
import { formatPhone } from '#core/values/contact.ts';

const encoder = new TextEncoder();
/** Bytes of a line at most, its end left out (RFC 5545, 3.1). */
const LINE = 75;

/** What stands before the events of a calendar, and after them. */
export const calendarHead = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Ute//Export//EN']
  .map((line) => `${line}\r\n`)
  .join('');
export const calendarEnd = 'END:VCALENDAR\r\n';

/**
 * A job as an event of a calendar (RFC 5545); null for one that is on no schedule. `host` makes its id one in the world;
 * `made` is when it was written.
 */
export function calendarEvent(job: JobCardView, host: string, made: Date): string | null {
  if (job.scheduledAt === null || job.status === 'Rejected') return null;
  const said = [job.status, job.phone && formatPhone(job.phone), job.email].filter(Boolean).join('\n');
  return [
    'BEGIN:VEVENT',
    `UID:job-${job.id}@${host}`,
    `DTSTAMP:${utc(made)}`,
    `DTSTART:${utc(new Date(job.scheduledAt))}`,
    `SUMMARY:${escaped(`${job.title}, ${job.name}`)}`,
    ...(job.location.address ? [`LOCATION:${escaped(job.location.address)}`] : []),
    `DESCRIPTION:${escaped(said)}`,
    'END:VEVENT',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('');
}

function utc(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
}

/** A long line goes on in the next one, which begins with a space; no letter is split. */
function folded(line: string): string {
  const lines = [''];
  let room = LINE;
  for (const letter of line) {
    const { length } = encoder.encode(letter);
    if (length > room) {
      lines.push('');
      room = LINE - 1;
    }
    lines[lines.length - 1] += letter;
    room -= length;
  }
  return lines.join('\r\n ');
}
