import { toOpenAPISchema } from '@elysiajs/openapi';
import type { Type } from 'arktype';
import { type AnyElysia, Elysia } from 'elysia';
import { idempotencyKeyPattern } from '#api/http/idempotency.ts';
import { product } from '#core/values/product.ts';
import answers from './answers.json';
import { businessOperations } from './business-operations.ts';
import {
  type Access,
  errorSchema,
  failuresOf,
  type OperationText,
  type RequestHeader,
  type Rows,
} from './operation-text.ts';
import { publicOperations } from './public-operations.ts';
import { exampleOf, type Json, type Operation, plainBody, plainSchema } from './schemas.ts';

/**
 * GET /api/openapi: the API's description (OpenAPI 3.1). Requests come from the routes' own schemas, answers from the types of
 * the handlers, the rest from the rows of `business-operations.ts` and `public-operations.ts`. It is made once, at the first
 * request. No page: it would load scripts from afar.
 */
export function openApi(app: AnyElysia) {
  let made: object | undefined;
  return new Elysia({ name: 'openapi' }).get('/api/openapi', () => {
    made ??= descriptionOf(app);
    return made;
  });
}

/**
 * What JSON Schema cannot say (a rule in code) is described by the shape below it, and a text that is read as a number or the
 * like by what comes of it.
 */
const fallback = {
  default: ({ base }: { base: object }) => base,
  morph: ({ base, out }: { base: object; out: object | null }) => ({ ...base, ...out }),
};

/** The description of the routes that an app has below `/api`. */
export function descriptionOf(app: AnyElysia): object {
  const { paths } = toOpenAPISchema(
    app,
    // The site's own routes are not the API's.
    { paths: [/^\/(?!api\/)/, '/api/openapi'] },
    undefined,
    { arktype: (schema: Type) => schema.toJsonSchema({ fallback }) },
    '3.1.2',
  );
  return describe(paths as unknown as Paths);
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const schemes: Readonly<Record<Access, readonly Json[]>> = {
  open: [],
  session: [{ session: [] }],
  chat: [{ chat: [] }],
  registration: [{ registration: [] }],
  'registration or session': [{ registration: [] }, { session: [] }],
  // The operator may close it to those who are signed in.
  'open or session': [],
  service: [{ service: [] }],
  // A process without METRICS_TOKEN answers this machine without any.
  metrics: [{ metrics: [] }, {}],
};

/**
 * The description from what the routes say. Throws for a route without a text in `business-operations.ts` or `public-operations.ts`, and for one that answers JSON
 * of which `answers.json` does not know the type.
 */
function describe(paths: Paths): object {
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
      license: { name: 'UNLICENSED' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(operationTexts).map(({ tag }) => tag))].map((name) => ({ name })),
    paths: described,
    components: {
      schemas: { ...components, Error: errorSchema },
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

const components: Readonly<Record<string, Json>> = answers.components;
const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

function operationOf(name: string, operation: Operation): Json {
  const text = operationTexts[name];
  if (!text) throw new Error(`${name} has no text in business-operations.ts or public-operations.ts`);
  const { tag, operationId, summary, access, headers = [] } = text;
  const parameters = [...(operation.parameters ?? []).map(plainParameter), ...headers.map(headerParameter)];
  const requestBody = bodyOf(name, operation);
  const whole = { ...operation, parameters, ...(requestBody ? { requestBody } : {}) };
  return {
    ...whole,
    ...{ operationId, summary, tags: [tag], security: schemes[access] },
    responses: {
      200: { description: 'OK', headers: commonHeaders, content: contentOf(name, text) },
      ...failuresOf(name, text, whole, commonHeaders),
    },
  };
}

/** A file as it is: the one body that is not JSON. */
const bytes = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

const takesBytes = ['POST /api/public-forms/:slug/media', 'PUT /api/jobs/:id/photos/:photoId'];

function bodyOf(name: string, { requestBody }: Operation): Json | undefined {
  if (takesBytes.includes(name)) return bytes;
  if (!requestBody) return undefined;
  const { schema, required } = plainBody(requestBody);
  const example = exampleOf(schema, { components, optional: false });
  return { required, content: { 'application/json': { schema, example } } };
}

const commonHeaders = {
  'x-request-id': { description: '`ref` of an error', schema: { type: 'string' } },
  'x-read-model': {
    description: '`behind`: lists do not show the change yet; `stale`: they may miss what happened',
    schema: { type: 'string', enum: ['behind', 'stale'] },
  },
};

function contentOf(name: string, { media }: OperationText): Json {
  if (media) return Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }]));
  const schema = (answers.answers as Readonly<Record<string, Json | null>>)[name];
  if (!schema) throw new Error(`${name} has no answer in answers.json`);
  const example = exampleOf(schema, { components, optional: true });
  return { 'application/json': { schema, example } };
}

const rows = { ...businessOperations, ...publicOperations };

/** An operation of the API by method and template, such as `GET /api/jobs/:id`. */
export type ApiOperation = {
  [Tag in keyof typeof rows]: keyof (typeof rows)[Tag];
}[keyof typeof rows];

/** Every operation of the API in words. */
export const operationTexts: Readonly<Record<string, OperationText>> = Object.fromEntries(
  Object.entries<Rows[string]>(rows).flatMap(([tag, ofTag]) =>
    Object.entries(ofTag).map(([operation, [operationId, summary, access, more]]) => [
      operation,
      { tag, operationId, summary, access, ...more },
    ]),
  ),
);

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
function headerParameter(name: RequestHeader): Json {
  return { name, in: 'header', required: false, ...requestHeaders[name] };
}

/**
 * A parameter as its route's schema has it, described beside the schema. A default is written as it is sent, as text: a number's
 * is its number.
 */
function plainParameter({ schema, ...parameter }: Json): Json {
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
