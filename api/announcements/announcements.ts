import type { Pool } from 'pg';
import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import type { AnnouncementKind, AnnouncementText } from './announcement-text.ts';

/** What an operator tells those who want to hear it. `id` is the operator's own name for it. */
export type Announcement = AnnouncementText & Readonly<{ id: string; kind: AnnouncementKind }>;

/** How far an announcement is: messages by what became of them. `perhaps` may be out, which is not known. */
export type AnnouncementProgress = Readonly<{
  id: string;
  kind: AnnouncementKind;
  subject: string;
  begunAt: Date;
  cancelledAt: Date | null;
  waiting: number;
  sent: number;
  perhaps: number;
  discarded: number;
  cancelled: number;
  dead: number;
}>;

const ID = /^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;

/** Throws InvalidInputError for what cannot name an announcement. */
export function assertAnnouncementId(id: string): void {
  if (id.length > 60 || !ID.test(id))
    throw new InvalidInputError('The id is small letters, digits and dashes, such as 2026-11-invoices.');
}

/**
 * Writes an announcement down, or finds it. Throws ConflictError when the id stands for other words, another kind or an
 * announcement that was cancelled: what some have read does not change for the rest.
 */
export async function beginAnnouncement(db: Pool, announcement: Announcement, now: Date): Promise<void> {
  const { id, kind, subject, body } = announcement;
  await assertSame(db, announcement);
  await db.query(
    `insert into state.announcements (id, kind, subject, body, begun_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing`,
    [id, kind, subject, body, now],
  );
  await assertSame(db, announcement);
}

/** Throws ConflictError when the id stands for something else, or for what is not to go out; an unknown one is fine. */
export async function assertSame(db: Pool, { id, kind, subject, body }: Announcement): Promise<void> {
  const found = await findAnnouncement(db, id);
  if (!found) return;
  if (found.isCancelled) throw new ConflictError(`${id} was cancelled: nothing of it goes out any more.`);
  if (found.kind !== kind || found.subject !== subject || found.body !== body)
    throw new ConflictError(`${id} was begun with other words: give this text an id of its own.`);
}

/** An announcement as it was begun; null for an unknown one. */
export async function findAnnouncement(
  db: Pool,
  id: string,
): Promise<(Announcement & Readonly<{ isCancelled: boolean }>) | null> {
  const { rows } = await db.query<Announcement & { isCancelled: boolean }>(
    `select id, kind, subject, body, cancelled_at is not null as "isCancelled" from state.announcements where id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Lets nothing more of an announcement go out; answers how many messages it took back, null for an unknown id. */
export function cancelAnnouncement(db: Pool, id: string, now: Date): Promise<number | null> {
  return inTransaction(db, async (transaction) => {
    const { rowCount: known } = await transaction.query(
      'update state.announcements set cancelled_at = coalesce(cancelled_at, $2) where id = $1',
      [id, now],
    );
    if (!known) return null;
    // What a sender is just sending settles by itself.
    const { rowCount } = await transaction.query(
      `update state.outbox set delivery_status = 'cancelled', settled_at = $2, data = '{}'
       where announcement = $1 and delivery_status = 'waiting' and leased_until is null`,
      [id, now],
    );
    return rowCount ?? 0;
  });
}

/** Every announcement and how far it is, newest first. */
export async function announcementProgress(db: Pool): Promise<AnnouncementProgress[]> {
  const { rows } = await db.query<AnnouncementProgress>(
    `select a.id, a.kind, a.subject, a.begun_at as "begunAt", a.cancelled_at as "cancelledAt",
       count(*) filter (where o.delivery_status = 'waiting')::int as waiting,
       count(*) filter (where o.delivery_status = 'sent' and o.failure is null)::int as sent,
       count(*) filter (where o.delivery_status = 'sent' and o.failure is not null)::int as perhaps,
       count(*) filter (where o.delivery_status = 'discarded')::int as discarded,
       count(*) filter (where o.delivery_status = 'cancelled')::int as cancelled,
       count(*) filter (where o.delivery_status = 'dead')::int as dead
     from state.announcements a left join state.outbox o on o.announcement = a.id
     group by a.id order by a.begun_at desc, a.id`,
  );
  return rows;
}
