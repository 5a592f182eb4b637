import { product } from '#core/values/product.ts';
import answers from './answers.json' with { type: 'json' };
import { type Access, type OperationText, operationTexts, type RequestHeader } from './operations.ts';

type Json = Readonly<Record<string, unknown>>;
/** The part of an operation that follows from the schemas of its route. */
type Operation = Readonly<{ parameters?: readonly Json[]; requestBody?: Json }>;
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const errorRef = { $ref: '#/components/schemas/Error' };

/** Every status but 200 that the API has, what it means, and a message that it comes with. */
const failures: Readonly<Record<number, readonly [meaning: string, message: string]>> = {
  400: ['The request is malformed, or its bot check is missing or wrong', 'The request cannot be read'],
  401: ['The proof that this operation asks for is missing or wrong', 'Invalid credentials'],
  403: ['There is no living session', 'Session timed out'],
  404: ['Unknown, or of another business', 'Not found'],
  408: ['The body took too long to arrive', 'That took too long to arrive, please try again'],
  409: ['What is stored does not allow it', 'This is not possible just now'],
  413: ['The body is too long', 'That is more than we can take at once'],
  415: ['The body has another content type', 'Send this as application/json'],
  422: ['A value breaks a rule; `fields` says which', 'Please check what you entered'],
  429: ['Too many requests', 'Too many attempts. Please try again in 40 seconds.'],
  500: ['A failure of the server', 'An error has occurred, please try again later'],
  503: ['Something is unavailable', 'We are having trouble right now, please try again in a moment'],
};

const waits = [400, 429, 503];

const requestHeaders: Readonly<Record<RequestHeader, Json>> = {
  'idempotency-key': {
    description: 'A repeat under the same key does nothing twice and has the same answer',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'x-bot-check': {
    description: 'A ticket of `POST /api/bot-check/verify`',
    schema: { type: 'string', maxLength: 4096 },
  },
};

const schemes: Readonly<Record<Access, readonly Json[]>> = {
  open: [],
  session: [{ session: [] }],
  chat: [{ chat: [] }],
  registration: [{ registration: [] }],
  'registration or session': [{ registration: [] }, { session: [] }],
  service: [{ service: [] }],
  // A process without METRICS_TOKEN answers this machine without any.
  metrics: [{ metrics: [] }, {}],
};

/**
 * The description from what the routes say. Throws for a route without a text in `operations.ts`, and for one that answers JSON
 * of which `answers.json` does not know the type.
 */
export function describe(paths: Paths): object {
  const described: Record<string, Record<string, Json>> = {};
  for (const [path, methods] of Object.entries(paths)) {
    const bare = path.replace(/(.)\/$/, '$1');
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${bare.replace(/\{(\w+)\}/g, ':$1')}`;
      described[bare] ??= {};
      described[bare][method] = operationOf(name, operation);
    }
  }
  return {
    openapi: '3.1.2',
    info: {
      title: product.name,
      version: '1',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(operationTexts).map(({ tag }) => tag))].map((name) => ({ name })),
    paths: described,
    components: {
      schemas: { ...answers.components, Error: errorSchema },
      securitySchemes: {
        session: bearer('The token of a login'),
        chat: bearer('The token of `GET /api/authenticate/chatbot`'),
        service: bearer('The key of the product that sends work orders'),
        metrics: bearer('METRICS_TOKEN of the installation'),
        registration: {
          type: 'apiKey',
          in: 'header',
          name: 'x-rid',
          description: 'The secret of a registration',
        },
      },
    },
  };
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

/** Besides the message, a failure may carry what the client goes on with: a bot check to make, a job as it stands now. */
const errorSchema = {
  type: 'object',
  required: ['status', 'message', 'ref'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', enum: ['error'] },
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
    job: { $ref: '#/components/schemas/Job', description: 'The job as it stands now' },
    phoneVerified: { type: 'boolean', description: 'The mobile number is verified already' },
    step: { type: 'integer', minimum: 0, description: 'The furthest step of the registration' },
  },
};

function operationOf(name: string, operation: Operation): Json {
  const text = operationTexts[name];
  if (!text) throw new Error(`${name} has no text in operations.ts`);
  const { tag, operationId, summary, access, headers = [] } = text;
  const parameters = [
    ...(operation.parameters ?? []).map((parameter) => ({ ...parameter })),
    ...headers.map((header) => ({ name: header, in: 'header', required: false, ...requestHeaders[header] })),
  ];
  const requestBody = name === 'POST /api/public-forms/:slug/media' ? bytes : operation.requestBody;
  return {
    ...operation,
    ...{ operationId, summary, tags: [tag], security: schemes[access] },
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(name, text, Boolean(requestBody)),
  };
}

/** A file as it is: the one body that is not JSON. */
const bytes = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

function responsesOf(name: string, text: OperationText, hasBody: boolean): Json {
  const responses: Record<string, Json> = {
    200: { description: 'OK', headers: commonHeaders, content: contentOf(name, text) },
  };
  for (const status of statusesOf(name, text, hasBody)) {
    const [description = '', message = ''] = failures[status] ?? [];
    const example = { status: 'error', message, ref: '0198c0de-0000-7000-8000-000000000000' };
    responses[status] = {
      description,
      headers: { ...commonHeaders, ...(waits.includes(status) ? { 'retry-after': retryAfter } : {}) },
      content: { 'application/json': { schema: errorRef, example } },
    };
  }
  return responses;
}

const retryAfter = {
  description: 'Whole seconds until the next try',
  schema: { type: 'integer', minimum: 1 },
};
const commonHeaders = {
  'x-request-id': { description: '`ref` of an error', schema: { type: 'string' } },
  'x-read-model': {
    description: '`behind`: lists do not show the change yet; `stale`: they may miss what happened',
    schema: { type: 'string', enum: ['behind', 'stale'] },
  },
};

/** Failures that follow from what an operation is: who may call it, what it names, whether it changes something. */
function statusesOf(
  name: string,
  { access, statuses = [] }: OperationText,
  hasBody: boolean,
): readonly number[] {
  return [
    ...new Set([
      ...[400, 422, 429, 500, 503, ...statuses],
      ...(access.includes('session') ? [403] : []),
      ...(access === 'registration or session' ? [401] : []),
      ...(name.includes(':') || access.includes('registration') ? [404] : []),
      ...(name.startsWith('GET ') ? [] : [404, 409, 413, 415]),
      ...(hasBody ? [408] : []),
    ]),
  ].sort((a, b) => a - b);
}

function contentOf(name: string, { media }: OperationText): Json {
  if (media) return Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }]));
  const schema = (answers.answers as Readonly<Record<string, Json | null>>)[name];
  if (!schema) throw new Error(`${name} has no answer in answers.json`);
  return { 'application/json': { schema } };
}
