import type { Pool } from 'pg';
import type { Clock, Database, Deps } from '#api/deps.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { MessageKind } from './message-kind.ts';
import { heldBackFor } from './queue.ts';

export type DeliveryStatus = 'waiting' | 'held' | 'sent' | 'discarded' | 'cancelled' | 'lapsed' | 'dead';

/** A row of the outbox, without what the message is made from. */
export type OutboxRow = Readonly<{
  id: string;
  kind: string;
  deliveryStatus: DeliveryStatus;
  businessId: string | null;
  jobId: string | null;
  attempts: number;
  queuedAt: Date;
  dueAt: Date;
  expiresAt: Date | null;
  settledAt: Date | null;
  failure: string | null;
}>;

const COLUMNS = `id, kind, delivery_status as "deliveryStatus", business_id as "businessId", job_id as "jobId", attempts, queued_at as "queuedAt",
  due_at as "dueAt", expires_at as "expiresAt", settled_at as "settledAt", failure`;

/** Messages with one of these delivery statuses, oldest first, `limit` at most. Of announcements only the dead: the rest is counted elsewhere. */
export async function listMessages(
  db: Pool,
  statuses: readonly DeliveryStatus[],
  limit: number,
): Promise<OutboxRow[]> {
  const { rows } = await db.query<OutboxRow>(
    `select ${COLUMNS} from state.outbox
     where delivery_status = any($1) and (announcement is null or delivery_status = 'dead') order by queued_at, id limit $2`,
    [statuses, limit],
  );
  return rows;
}

/**
 * Lets dead messages be sent once more, from now on and for a day: one, or all. What has expired stays dead. Answers the
 * ids of those that wait again.
 */
export async function retryDead(db: Pool, id: string | 'all', now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update state.outbox set delivery_status = 'waiting', wanted_at = $1, due_at = $1, attempts = 0, settled_at = null
     where delivery_status = 'dead' and (expires_at is null or expires_at > $1) and ($2 = 'all' or id::text = $2)
     returning id`,
    [now, id],
  );
  return rows.map((row) => row.id);
}

export type Undelivered = Pick<OutboxRow, 'id' | 'kind'> &
  Readonly<{ deliveryStatus: 'held' | 'lapsed' | 'dead'; settledAt: Date }>;

/** The messages about a job that could not be delivered, or not yet, newest first. */
export async function undeliveredAbout(db: Pool, jobId: string): Promise<Undelivered[]> {
  const { rows } = await db.query<Undelivered>(
    `select id, kind, delivery_status as "deliveryStatus", settled_at as "settledAt" from state.outbox
     where job_id = $1 and delivery_status in ('held', 'lapsed', 'dead') order by settled_at desc, id`,
    [jobId],
  );
  return rows;
}

/** What waits and what could not be sent, for the metrics. */
export function outboxGauges({ db, now }: Clock & Pick<Database, 'db'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_outbox_messages',
      help: 'Messages that wait to be sent, are held back until a business confirms its email, or could not be sent',
      labelNames: ['delivery_status'],
      async read() {
        const { waiting, held, dead } = await outboxFigures(db, now());
        return Object.entries({ waiting, held, dead }).map(([status, value]) => ({
          value,
          labels: { delivery_status: status },
        }));
      },
    },
    {
      name: 'ute_outbox_oldest_waiting_seconds',
      help: 'For how long the oldest waiting message has been wanted',
      read: async () => [{ value: (await outboxFigures(db, now())).oldestWaitingSeconds }],
    },
  ];
}

export type OutboxFigures = Readonly<{
  waiting: number;
  held: number;
  dead: number;
  oldestWaitingSeconds: number;
}>;

/** How many messages wait, are held back for a confirmation, and are dead, and for how long the oldest has been due, in seconds. */
export async function outboxFigures(db: Pool, now: Date): Promise<OutboxFigures> {
  const { rows } = await db.query<OutboxFigures>(
    `select w.waiting, h.held, d.dead, greatest(0, extract(epoch from $1::timestamptz - w.oldest))::float8 as "oldestWaitingSeconds"
     from (select count(*)::int as waiting, coalesce(min(wanted_at), $1) as oldest from state.outbox where delivery_status = 'waiting') w,
       (select count(*)::int as held from state.outbox where delivery_status = 'held') h,
       (select count(*)::int as dead from state.outbox where delivery_status = 'dead') d`,
    [now],
  );
  return rows[0] as OutboxFigures;
}

/** Reads for a job's history what could not be delivered about it, under the names of its messages. */
export function undeliveredMessages({ db }: Pick<Deps, 'db'>, kinds: readonly MessageKind[]) {
  return async (jobId: string) =>
    (await undeliveredAbout(db, jobId)).map(({ id, kind, deliveryStatus, settledAt }) => ({
      ...{ id, deliveryStatus, settledAt },
      label: kinds.find((one) => one.kind === kind)?.label ?? 'A message',
      lapsesAt: new Date(settledAt.getTime() + heldBackFor),
    }));
}

/** Reads what was sent of the messages that follow from events, by the ids that the outbox derives from theirs. */
export function sentMessages({ db }: Readonly<{ db: Pool }>, kinds: readonly MessageKind[]) {
  const labelOf = (kind: string) => sentLabel(kinds.find((one) => one.kind === kind));
  return async (
    events: readonly Pick<RecordedEvent, 'id' | 'type'>[],
  ): Promise<Readonly<{ text: string; at: string }>[]> => {
    const ids = events.flatMap(({ id, type }) =>
      kinds
        .filter(({ follows = [] }) => follows.some((one) => one === type))
        .map(({ kind }) => uuidV5(id, kind)),
    );
    const { rows } = await db.query<{ kind: string; at: Date }>(
      `select kind, settled_at as at from state.outbox
       where id = any($1::uuid[]) and delivery_status = 'sent' and settled_at is not null`,
      [ids],
    );
    return rows.map(({ kind, at }) => ({ text: labelOf(kind), at: at.toISOString() }));
  };
}

function sentLabel(found: MessageKind | undefined): string {
  return found?.label ?? (found?.channel === 'sms' ? 'A text message' : 'An email');
}
