import type { Deps } from '#api/deps.ts';
import type { Mail, Sms } from '#api/providers/messages.ts';

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

type Composing<T> = Readonly<{
  /** Kebab-case; stands in the outbox. */
  kind: string;
  /** What a tradie reads in a job's history when it could not be delivered: `The receipt to the customer`. */
  label?: string;
  /** Rather not at all than twice: what may be out is not tried again. */
  isSentOnce?: boolean;
  /**
   * Finds the addressee and the words, now. Links, codes and tokens are made here, and only their hash is stored: a message
   * that is tried again is composed again. Null: it is not wanted any more.
   */
  compose(deps: Deps, message: OutboxMessage): Promise<T | null>;
}>;

export type MailKind = Composing<Mail> & Readonly<{ channel: 'mail' }>;
export type SmsKind = Composing<Sms> & Readonly<{ channel: 'sms' }>;
export type MessageKind = MailKind | SmsKind;
