import type { DocumentDecoration } from 'elysia';

/** What the operations of a tag are about. */
export const tags = {
  Sessions: 'Logging in and out',
  Account: 'The person who is signed in: contact, password, messages',
  Business: 'The business of the person who is signed in, and its enquiry form',
  Jobs: 'The jobs of a business',
  Assistant: 'Questions about the jobs of a business, in words',
  Intake: 'What customers and other products send to a business, and the links in their messages',
  Records: 'Checkpoints of the log, for who compares them',
  Registration: 'The way to an account',
  Installation: 'Health and metrics, for operators',
} as const;

/** What proves that a client may: a session, the token of a conversation, a registration's secret, a key of the installation. */
export type Access =
  | 'open'
  | 'session'
  | 'chat'
  | 'registration'
  | 'registration or session'
  | 'open or session'
  | 'service'
  | 'metrics';

export type RequestHeader = 'idempotency-key' | 'x-bot-check' | 'x-caption';

/** What a client reads of an operation that neither its schemas nor its types say. */
export type OperationText = Readonly<{
  tag: keyof typeof tags;
  id: string;
  summary: string;
  description?: string;
  access: Access;
  /** Headers that the request may carry. */
  headers?: readonly RequestHeader[];
  /** Statuses besides those that follow from the operation's shape. */
  statuses?: readonly number[];
  /** False for what changes something but meets no conflict. */
  conflicts?: boolean;
  /** What it answers instead of JSON. */
  media?: readonly string[];
}>;

/** The name under which a route's `detail` has its text. */
export const textOfDetail = 'x-text';

type Unusual = Partial<Omit<OperationText, 'tag' | 'id' | 'summary'>>;

/** The `detail` of a route. Without `access` it needs a session. */
export function operation(
  tag: OperationText['tag'],
  id: string,
  summary: string,
  unusual: Unusual = {},
): DocumentDecoration {
  const text: OperationText = { tag, id, summary, access: 'session', ...unusual };
  return { [textOfDetail]: text } as DocumentDecoration;
}
