import { sessionTimedOut } from '#api/http/answers.ts';
import { BODY_LIMIT, bodyRule } from '#api/http/body/body-rules.ts';
import { errorCodes } from '#api/http/error-codes.ts';
import type { OperationText } from './operation.ts';
import type { Json, Operation } from './schemas.ts';

const noSession = sessionTimedOut();
const errorRef = { $ref: '#/components/schemas/Error' };

/** A message that each status but 200 comes with. */
const messages: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'Invalid credentials',
  [noSession.status]: noSession.message,
  404: 'Not found',
  408: 'That took too long to arrive, please try again',
  409: 'This is not possible just now',
  413: 'That is more than we can take at once',
  415: 'Send this as application/json',
  422: 'Please check what you entered',
  429: 'Too many attempts. Please try again in 40 seconds.',
  500: 'An error has occurred, please try again later',
  503: 'We are having trouble right now, please try again in a moment',
};

const codes = Object.entries(errorCodes);

const waits = [400, 429, 503];

const retryAfter = {
  description: 'Whole seconds until the next try',
  schema: { type: 'integer', minimum: 1 },
};
/** Besides the message, a failure may carry what the client goes on with: a bot check to make, a job as it stands now. */
export const errorSchema = {
  type: 'object',
  required: ['status', 'code', 'message', 'ref'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', enum: ['error'] },
    code: {
      type: 'string',
      enum: codes.map(([code]) => code),
      description: codes
        .map(([code, [status, meaning]]) => `\`${code}\` (${status}): ${meaning}`)
        .join('\n\n'),
    },
    message: { type: 'string', description: 'For the person; repeats no input' },
    ref: { type: 'string', description: 'What the log calls this answer' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Path of a field → what is wrong with it',
    },
    botCheck: {
      type: 'object',
      required: ['scope', 'price'],
      additionalProperties: false,
      properties: { scope: { type: 'string' }, price: { type: 'integer', minimum: 1 } },
      description: 'The same request again with a ticket of this bot check',
    },
    job: { $ref: '#/components/schemas/JobView', description: 'The job as it stands now' },
    phoneVerified: { type: 'boolean', description: 'The mobile number is verified already' },
    step: { type: 'integer', minimum: 0, description: 'The furthest step of the registration' },
  },
};

/** The failures of an operation, by status. `headers` are those of every answer. */
export function failuresOf(name: string, text: OperationText, operation: Operation, headers: Json): Json {
  const described: Record<string, Json> = {};
  for (const status of statusesOf(name, text, operation)) {
    const [code, [, description]] = codes.find(([, [of]]) => of === status) ?? ['', [status, '']];
    const message = messages[status] ?? '';
    const example = { status: 'error', code, message, ref: '0198c0de-0000-7000-8000-000000000000' };
    described[status] = {
      description,
      headers: { ...headers, ...(waits.includes(status) ? { 'retry-after': retryAfter } : {}) },
      content: { 'application/json': { schema: errorRef, example } },
    };
  }
  return described;
}

/** Failures that follow from what an operation is: who may call it, what it names and takes, whether it changes something. */
function statusesOf(
  name: string,
  { access, statuses = [], conflicts = true }: OperationText,
  { parameters = [], requestBody }: Operation,
): readonly number[] {
  const [method = '', path = ''] = name.split(' ');
  const rule = bodyRule(method, path, true);
  const isLong = rule.kind === 'unread' || rule.limit > BODY_LIMIT;
  const hasQuery = parameters.some((parameter) => parameter['in'] === 'query');
  return [
    ...new Set([
      ...[400, 429, 500, 503, ...statuses],
      ...(access.includes('session') ? [noSession.status] : []),
      ...(access === 'registration or session' ? [401] : []),
      ...(path.includes(':') || access === 'registration' ? [404] : []),
      ...(method !== 'GET' && conflicts ? [409] : []),
      ...(requestBody ? [413, 422] : []),
      ...(requestBody && rule.kind === 'json' ? [415] : []),
      ...(requestBody && isLong ? [408] : []),
      ...(hasQuery ? [422] : []),
    ]),
  ].sort((a, b) => a - b);
}
