import type { AnnouncementProgress } from '#api/announcements/announcements.ts';

/** An announcement for people: its name, and what became of its mails. */
export function progressLines(announcement: AnnouncementProgress): string[] {
  const { id, kind, subject, begunAt, cancelledAt } = announcement;
  const counts = (['waiting', 'sent', 'perhaps', 'discarded', 'cancelled', 'dead'] as const)
    .filter((status) => announcement[status] > 0 || status === 'sent')
    .map((status) => `${announcement[status]} ${status}`);
  const end = cancelledAt === null ? '' : `, cancelled ${cancelledAt.toISOString()}`;
  return [`${id} (${kind}) since ${begunAt.toISOString()}${end}: ${counts.join(', ')}`, `  ${subject}`];
}
