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

export type OperationText = Readonly<{
  tag: string;
  operationId: string;
  summary: string;
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

export type RequestHeader = 'idempotency-key' | 'x-bot-check' | 'x-caption';

/** An operation as it is written down: its id, a sentence, who may call it, and what is unusual. */
export type Row = readonly [
  operationId: string,
  summary: string,
  access: Access,
  more?: Pick<OperationText, 'headers' | 'statuses' | 'media' | 'conflicts'>,
];

/** Tag → operation, such as `GET /api/jobs/:id` → its text. */
export type Rows = Readonly<Record<string, Readonly<Record<string, Row>>>>;

export const key = { headers: ['idempotency-key'] } as const;
export const noConflict = { conflicts: false } as const;
export const botCheck = { headers: ['x-bot-check'] } as const;
