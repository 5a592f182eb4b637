import type { AnnouncementStanding } from '#api/announcements/announcements.ts';

/** An announcement for people: its name, and what became of its mails. */
export function standingLines(announcement: AnnouncementStanding): string[] {
  const { id, kind, subject, begunAt, cancelledAt } = announcement;
  const counts = (['waiting', 'sent', 'perhaps', 'unwanted', 'cancelled', 'dead'] as const)
    .filter((standing) => announcement[standing] > 0 || standing === 'sent')
    .map((standing) => `${announcement[standing]} ${standing}`);
  const end = cancelledAt === null ? '' : `, cancelled ${cancelledAt.toISOString()}`;
  return [`${id} (${kind}) since ${begunAt.toISOString()}${end}: ${counts.join(', ')}`, `  ${subject}`];
}
