import { idempotencyKeyPattern } from '../idempotency.ts';
import type { RequestHeader } from './operation-text.ts';
import { type Json, plainSchema } from './schema.ts';

const requestHeaders: Readonly<Record<RequestHeader, Json>> = {
  'idempotency-key': {
    description: 'A repeat under the same key does nothing twice and has the same answer',
    schema: { type: 'string', pattern: idempotencyKeyPattern.source },
    example: '0198c0de-7b1e-7000-8000-000000000001',
  },
  'x-caption': {
    description: 'What the photo shows, percent-encoded',
    schema: { type: 'string' },
    example: 'The%20old%20valve',
  },
  'x-bot-check': {
    description: 'A ticket of `POST /api/bot-check/verify`',
    schema: { type: 'string', maxLength: 4096 },
  },
};

/** A header that a request may carry, as a parameter. */
export function headerParameter(name: RequestHeader): Json {
  return { name, in: 'header', required: false, ...requestHeaders[name] };
}

/**
 * A parameter as its route's schema has it, described beside the schema. A default is written as it is sent, as text: a number's
 * is its number.
 */
export function plainParameter({ schema, ...parameter }: Json): Json {
  const { description, examples, default: usual, ...others } = plainSchema(schema as Json);
  const [example] = (examples ?? []) as readonly unknown[];
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    schema: {
      ...others,
      ...(usual === undefined ? {} : { default: others['type'] === 'integer' ? Number(usual) : usual }),
    },
  };
}
