/** A message that went to the embedded outbox, as the server hands it to the pages of `/dev/outbox`. */
export type OutboxMessage = Readonly<{
  id: string;
  channel: 'mail' | 'sms';
  /** ISO 8601. */
  takenAt: string;
  to: string;
  subject?: string;
  text: string;
  html?: string;
}>;

/** What a list shows of a message: its subject, of an SMS its beginning. */
export function titleOf({ subject, text }: OutboxMessage): string {
  return subject ?? text.split('\n', 1)[0] ?? '';
}
