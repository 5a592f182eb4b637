import type { Pool } from 'pg';
import { plannedEachTime, plannedOnce } from '#core/postgres/statement.ts';
import type { OutboxMessage } from './queue.ts';

/** How long a message is tried, in hours. */
const GIVE_UP = 24;
const IN_TIME = `wanted_at > $1::timestamptz - interval '${GIVE_UP} hours' and (expires_at is null or expires_at > $1)`;

const LEASED_BY_NONE = '(leased_until is null or leased_until <= clock_timestamp())';
const COLUMNS = `id, kind, business_id as "businessId", job_id as "jobId", data, queued_at as "queuedAt",
  expires_at as "expiresAt", attempts, announcement is not null as "isBulk"`;

/** `bulk` of the `limit` messages may be of announcements. */
type Leasing = Readonly<{
  kinds: readonly string[];
  limit: number;
  bulk?: number;
  leaseMs: number;
  now: Date;
}>;

/** `dead`: what was tried for a day or has expired, and is given up. */
export type Leased = Readonly<{ due: OutboxMessage[]; dead: Pick<OutboxMessage, 'id' | 'kind'>[] }>;

/**
 * Takes messages that are due, for this process alone until the lease ends: those of a process that is killed meanwhile are
 * left to the others. What expires soonest first, announcements last. Leases run by the clock of the database, which all
 * processes share. Gives up what is overdue, unless it is just being sent.
 */
export async function leaseDue(
  db: Pool,
  { kinds, limit, bulk = limit, leaseMs, now }: Leasing,
): Promise<Leased> {
  // A limit that is not known when it is planned counts as a tenth of all that waits.
  const { rows } = await db.query<OutboxMessage & { isDead: boolean }>(
    plannedEachTime(LEASE, [now, kinds, limit, leaseMs, Math.max(0, Math.min(bulk, limit))]),
  );
  const [dead, due] = [rows.filter(({ isDead }) => isDead), rows.filter(({ isDead }) => !isDead)];
  return {
    due: due.map(({ isDead: _, ...message }) => message),
    dead: dead.map(({ id, kind }) => ({ id, kind })),
  };
}

/** What may be sent now, of those that are so. A lease stays on a row whose sender has not written down what became of it. */
function due(which: string, order: string): string {
  return `select id, leased_until is not null as is_left from state.outbox
    where delivery_status = 'waiting' and due_at <= $1 and kind = any($2) and ${which} and ${IN_TIME}
      and ${LEASED_BY_NONE}
    order by ${order}`;
}

const LEASE = `with
  overdue as (
    update state.outbox
    set delivery_status = 'dead', settled_at = $1, leased_until = null,
      failure = coalesce(failure, 'was not sent in time')
    where delivery_status = 'waiting' and not (${IN_TIME}) and ${LEASED_BY_NONE}
    returning *),
  awaited as (${due('announcement is null', '(expires_at is null), due_at')} limit $3 for update skip locked),
  announced as (${due('announcement is not null', 'due_at')} limit $5 for update skip locked),
  due as (table awaited union all table announced limit $3),
  leased as (
    update state.outbox o
    set attempts = attempts + 1, leased_until = clock_timestamp() + $4 * interval '1 millisecond'
    from due where o.id = due.id
    returning o.*, due.is_left)
  select ${COLUMNS}, is_left as "isLeft", false as "isDead" from leased
  union all select ${COLUMNS}, false, true from overdue`;

type Tried = Pick<OutboxMessage, 'id' | 'attempts'>;

/** The message is out: nothing of what it was made from stays. */
export async function markSent(db: Pool, { id }: Tried, now: Date): Promise<void> {
  await db.query(
    plannedOnce(
      `update state.outbox set delivery_status = 'sent', settled_at = $2, leased_until = null, failure = null, data = '{}'
     where id = $1`,
      [id, now],
    ),
  );
}

/** The message may be out, and is not to be sent twice: for good, with what is known of it. */
export async function markPerhapsSent(db: Pool, { id }: Tried, failure: string, now: Date): Promise<void> {
  await db.query(
    plannedOnce(
      `update state.outbox set delivery_status = 'sent', settled_at = $2, leased_until = null, failure = $3, data = '{}'
     where id = $1 and delivery_status = 'waiting'`,
      [id, now, failure],
    ),
  );
}

/** It is not wanted any more. */
export async function discard(db: Pool, { id }: Tried, now: Date): Promise<void> {
  await db.query(
    plannedOnce(
      `update state.outbox set delivery_status = 'discarded', settled_at = $2, leased_until = null, data = '{}'
     where id = $1 and delivery_status = 'waiting'`,
      [id, now],
    ),
  );
}

/** To be tried again at `dueAt`, unless another sender has taken it since. */
export async function retryLater(
  db: Pool,
  { id, attempts }: Tried,
  { dueAt, failure }: Readonly<{ dueAt: Date; failure: string }>,
): Promise<void> {
  await db.query(
    plannedOnce(
      `update state.outbox set due_at = $3, leased_until = null, failure = $4
     where id = $1 and attempts = $2 and delivery_status = 'waiting'`,
      [id, attempts, dueAt, failure],
    ),
  );
}

/** Never to be tried again by itself. */
export async function deadLetter(
  db: Pool,
  { id, attempts }: Tried,
  failure: string,
  now: Date,
): Promise<void> {
  await db.query(
    plannedOnce(
      `update state.outbox set delivery_status = 'dead', settled_at = $3, leased_until = null, failure = $4
     where id = $1 and attempts = $2 and delivery_status = 'waiting'`,
      [id, attempts, now, failure],
    ),
  );
}
