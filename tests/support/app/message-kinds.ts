import { mailOf } from '#api/outbox/mail-layout.ts';
import type { MailKind, SmsKind } from '#api/outbox/message-kind.ts';

declare module '#api/outbox/queue.ts' {
  interface QueuedMessages {
    'test-mail': MessageData;
    'test-sms': MessageData;
    'from-the-next-release': MessageData;
  }
}

/** A mail that names its own id, to one address. */
export function aMailKind(overrides: Partial<MailKind> = {}): MailKind {
  return {
    kind: 'test-mail',
    channel: 'mail',
    compose: async (_deps, { id }) =>
      mailOf({
        to: 'dave@acme.example',
        subject: `Message ${id}`,
        heading: 'A test',
        paragraphs: ['This is a test.'],
        why: 'You asked for it.',
      }),
    ...overrides,
  };
}

/** An SMS that names its own id, to one number. */
export function anSmsKind(overrides: Partial<SmsKind> = {}): SmsKind {
  return {
    kind: 'test-sms',
    channel: 'sms',
    compose: async (_deps, { id }) => ({ to: '+61491570156', text: `Message ${id}` }),
    ...overrides,
  };
}
