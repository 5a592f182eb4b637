import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { Keys } from '#api/runtime/config/keys.ts';
import { open, seal } from '#core/event-store/sealed.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { Mail, Sms } from './messages.ts';

/** What a stored message was: newest messages push out the oldest. */
export type EmbeddedMessage = Readonly<{ id: string; takenAt: Date }> &
  (Readonly<{ channel: 'mail'; mail: Mail }> | Readonly<{ channel: 'sms'; sms: Sms }>);

export type OutboxPage = Readonly<{
  /** Keeps a message; the same id again changes nothing, as a good provider does. */
  keep(message: EmbeddedMessage): Promise<void>;
  /** Newest first, 200 at most; those to one address, when it is given. */
  list(to?: string): Promise<EmbeddedMessage[]>;
  find(id: string): Promise<EmbeddedMessage | null>;
  /** The id of the newest message; null while there is none. */
  newest(): Promise<string | null>;
}>;

/** How many messages are stored; fewer where an id came twice, which takes a number too. */
const CACHED = 200;
const IV = 12;
const TAG = 16;

type Row = Readonly<{ id: string; channel: 'mail' | 'sms'; taken_at: Date; sealed: Buffer }>;

/** What the embedded mail and SMS took. At rest it is sealed: the words hold links, codes and addresses. */
export function outboxPage(db: Pool, keys: Pick<Keys, 'data'>): OutboxPage {
  const key = createHmac('sha256', keys.data).update('outbox page').digest();

  function opened({ id, channel, taken_at: takenAt, sealed }: Row): EmbeddedMessage {
    const parts = {
      iv: sealed.subarray(0, IV),
      tag: sealed.subarray(IV, IV + TAG),
      ct: sealed.subarray(IV + TAG),
    };
    const body = JSON.parse(open(key, parts, id).toString('utf8'));
    return channel === 'mail' ? { id, takenAt, channel, mail: body } : { id, takenAt, channel, sms: body };
  }

  return {
    async keep(message) {
      const body = message.channel === 'mail' ? message.mail : message.sms;
      const { iv, tag, ct } = seal(key, Buffer.from(JSON.stringify(body), 'utf8'), message.id);
      await db.query(
        plannedOnce(
          `with stored as (
             insert into state.outbox_page (id, channel, taken_at, sealed) values ($1, $2, $3, $4)
             on conflict (id) do nothing returning n)
           delete from state.outbox_page where n <= (select n - ${CACHED} from stored)`,
          [message.id, message.channel, message.takenAt, Buffer.concat([iv, tag, ct])],
        ),
      );
    },
    async list(to) {
      const { rows } = await db.query<Row>(
        `select id, channel, taken_at, sealed from state.outbox_page order by n desc limit ${CACHED}`,
      );
      return rows.map(opened).filter((message) => to === undefined || addresseeOf(message) === to);
    },
    async newest() {
      const { rows } = await db.query<{ id: string }>(
        'select id from state.outbox_page order by n desc limit 1',
      );
      return rows[0]?.id ?? null;
    },
    async find(id) {
      const { rows } = await db.query<Row>(
        'select id, channel, taken_at, sealed from state.outbox_page where id = $1',
        [id],
      );
      return rows[0] ? opened(rows[0]) : null;
    },
  };
}

export function addresseeOf(message: EmbeddedMessage): string {
  return message.channel === 'mail' ? message.mail.to : message.sms.to;
}
