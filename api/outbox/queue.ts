import type { Pool, PoolClient } from 'pg';

/** Ids, names of things and instants. Nothing that a person wrote or that opens anything. */
export type MessageData = Readonly<Record<string, string | number | boolean>>;

/** A row of the outbox, as the kind that composes it sees it. */
export type OutboxMessage = Readonly<{
  id: string;
  kind: string;
  businessId: string | null;
  jobId: string | null;
  data: MessageData;
  queuedAt: Date;
  expiresAt: Date | null;
  /** Which try this is, from 1. */
  attempts: number;
  /** Part of an announcement. */
  isBulk?: boolean;
  /** The process that tried it before has not written down what became of it: it may be out. */
  isLeft?: boolean;
}>;

/**
 * What requests queue, by kind: what a message of it is made from. The file of each kind in `kinds/` adds its own
 * (`declare module`), so that a kind which no file declares does not compile and this file names none.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the kinds fill it
export interface QueuedMessages {}

export type QueuedKind = keyof QueuedMessages;

export type NewMessage<Kind extends QueuedKind = QueuedKind> = Readonly<{
  /** UUID; the same again does nothing. For what follows from an event: derived from (event id, kind). */
  id: string;
  kind: Kind;
  businessId?: string;
  jobId?: string;
  data: QueuedMessages[Kind];
  /** Which announcement it brings: then every message to a waiting person goes before it. */
  announcement?: string;
  /** Not sent before this; now, if absent. */
  notBefore?: Date;
  /** Not sent after this. Without it, it is tried for 24 hours. */
  expiresAt?: Date;
}>;

/**
 * Puts a message into the outbox; inside a transaction, it is there if and only if that commits. Wake the sender
 * afterwards with `deps.messages?.notify()`. False when its id is there already. Throws TypeError when `data` holds more
 * than ids.
 */
export async function queueMessage<Kind extends QueuedKind>(
  db: Pool | PoolClient,
  message: NewMessage<Kind>,
  now: Date,
): Promise<boolean> {
  assertBare(message.data);
  const { rowCount } = await db.query(
    `insert into state.outbox
       (id, kind, business_id, job_id, data, queued_at, wanted_at, due_at, expires_at, announcement)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)
     on conflict (id) do nothing`,
    [
      message.id,
      message.kind,
      message.businessId ?? null,
      message.jobId ?? null,
      message.data,
      now,
      message.notBefore ?? now,
      message.expiresAt ?? null,
      message.announcement ?? null,
    ],
  );
  return rowCount === 1;
}

/** An id, a name of ours or an instant; no address, no mobile number, no sentence. */
const BARE = /^(?!\+?\d{6,15}$)[A-Za-z0-9:._-]{0,80}$/;

function assertBare(data: MessageData): void {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'string' && !BARE.test(value)) throw new TypeError(`${name} is more than an id`);
  }
}

/** How long a mail that is held back is still of use to its customer, in milliseconds. */
export const heldBackFor = 24 * 60 * 60_000;

/** A mail beyond what an unconfirmed address may cause: it waits for the confirmation. */
export class HeldBackError extends Error {
  override name = 'HeldBackError';
}

/** Sets a message aside that was just tried, until `releaseHeldBack` or `lapseHeldBack`. */
export async function holdBack(
  db: Pool,
  { id, attempts }: Readonly<{ id: string; attempts: number }>,
  now: Date,
): Promise<void> {
  await db.query(
    `update state.outbox set delivery_status = 'held', settled_at = $3, leased_until = null, failure = null
     where id = $1 and attempts = $2 and delivery_status = 'waiting'`,
    [id, attempts, now],
  );
}

/** How many mails to customers of a business wait for its confirmation. */
export async function countHeldBack(db: Pool, businessId: string, now: Date): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from state.outbox where business_id = $1 and delivery_status = 'held' and settled_at > $2`,
    [businessId, oldest(now)],
  );
  return rows[0]?.n ?? 0;
}

/** The businesses with mail that waits for their confirmation. */
export async function businessesHeldBack(db: Pool, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ businessId: string }>(
    `select distinct business_id as "businessId" from state.outbox where delivery_status = 'held' and settled_at > $1`,
    [oldest(now)],
  );
  return rows.map(({ businessId }) => businessId);
}

/** Lets what was held back in the last day be sent, because the address is confirmed; answers how many. A repeat does nothing. */
export async function releaseHeldBack(db: Pool, businessId: string, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update state.outbox
     set delivery_status = 'waiting', wanted_at = $3, due_at = $3, attempts = 0, settled_at = null, failure = null
     where business_id = $1 and delivery_status = 'held' and settled_at > $2`,
    [businessId, oldest(now), now],
  );
  return rowCount ?? 0;
}

/** Gives up what has been held back for a day; answers how many. The ids go with it, as they do from what was sent. */
export async function lapseHeldBack(db: Pool, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update state.outbox set delivery_status = 'lapsed', settled_at = $2, data = '{}' where delivery_status = 'held' and settled_at <= $1`,
    [oldest(now), now],
  );
  return rowCount ?? 0;
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - heldBackFor);
}
