import { createHmac } from 'node:crypto';
import type { Clock, Deps } from '#api/deps.ts';
import type { Mail, Sms } from '#api/providers/messages.ts';
import type { Config } from '#api/runtime/config/config.ts';
import type { JobEvent } from '#core/job/job.ts';
import type { OutboxMessage } from './queue.ts';

/** What messages are composed with. `db` and `store` see every business. */
export type ComposingDeps = Clock &
  Pick<Deps, 'config' | 'db' | 'store' | 'subjectKeys' | 'logger' | 'proof'>;

type Composing<T> = Readonly<{
  /** Kebab-case; stands in the outbox. */
  kind: string;
  /**
   * The events that it follows: a job's, or of a demo that was asked for. A kind that requests queue names what its messages are
   * made from in `QueuedMessages`.
   */
  follows?: readonly (JobEvent['type'] | 'DemoRequested')[];
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

/**
 * The secret that a message carries, 256 bits as base64url: the same for every try, so that a repeat is good for the same
 * and for no other message or purpose. Nothing that is stored gives it away; store its hash.
 */
export function mintedSecret(
  { keys }: Pick<Config, 'keys'>,
  { id, kind }: Pick<OutboxMessage, 'id' | 'kind'>,
  purpose = '',
): string {
  return createHmac('sha256', keys.token).update(`message ${kind} ${id} ${purpose}`).digest('base64url');
}

/** Six digits that a person types, made the same way: the same for every try of a message. */
export function mintedCode(
  config: Pick<Config, 'keys'>,
  message: Pick<OutboxMessage, 'id' | 'kind'>,
): string {
  const number = Buffer.from(mintedSecret(config, message), 'base64url').readUIntBE(0, 6) % 1_000_000;
  return String(number).padStart(6, '0');
}
