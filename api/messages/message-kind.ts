import type { Clock, Deps } from '#api/deps.ts';
import type { Mail, Sms } from '#api/providers/messages.ts';
import type { KnownEvent } from '#core/event-store/event-types.ts';
import type { OutboxMessage } from './outbox/outbox.ts';

/** What messages are composed with. `db` and `store` see every business. */
export type ComposingDeps = Clock & Pick<Deps, 'config' | 'db' | 'store' | 'subjectKeys' | 'logger'>;

type Composing<T> = Readonly<{
  /** Kebab-case; stands in the outbox. */
  kind: string;
  /** The events that it follows. A kind that requests queue names what its messages are made from in `QueuedMessages`. */
  follows?: readonly KnownEvent['type'][];
  /** How long after the event it is sent at the earliest, in milliseconds; at once, if absent. */
  delay?: number;
  /** What a tradie reads in a job's history when it could not be delivered: `The receipt to the customer`. */
  label?: string;
  /** Rather not at all than twice: what may be out is not tried again. */
  isSentOnce?: boolean;
  /**
   * Finds the addressee and the words, now. Links, codes and tokens are made here, and only their hash is stored: a message
   * that is tried again is composed again. Null: it is not wanted any more.
   */
  compose(deps: ComposingDeps, message: OutboxMessage): Promise<T | null>;
}>;

export type MailKind = Composing<Mail> & Readonly<{ channel: 'mail' }>;
export type SmsKind = Composing<Sms> & Readonly<{ channel: 'sms' }>;
export type MessageKind = MailKind | SmsKind;
