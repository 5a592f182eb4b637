import { toOpenAPISchema } from '@elysiajs/openapi';
import type { Type } from 'arktype';
import { type AnyElysia, Elysia } from 'elysia';
import { idempotencyKeyPattern } from '#api/http/idempotency.ts';
import { product } from '#core/values/product.ts';
import answers from './answers.json';
import { exampleOf } from './examples.ts';
import { type Access, type OperationText, type RequestHeader, tags, textOfDetail } from './operation.ts';
import { errorSchema, failuresOf } from './operation-text.ts';
import { type Json, type Operation, plainBody, plainSchema } from './schemas.ts';

/**
 * GET /api/openapi: the API's description (OpenAPI 3.1). Requests come from the routes' own schemas, answers from the types of
 * the handlers, the rest from what each says of itself (`operation.ts`). It is made once, at the first
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
 * The description from what the routes say. Throws for a route that says nothing of itself, and for one that answers JSON
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
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
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

function operationOf(name: string, route: Operation): Json {
  const { [textOfDetail]: said, operationId: _, ...operation } = route as Operation & Json;
  if (!said) throw new Error(`${name} says nothing of itself: its detail is an \`operation\``);
  const text = said as OperationText;
  const { tag, id: operationId, summary, description, access, headers = [] } = text;
  const parameters = [
    ...(operation.parameters ?? []).map((one) => plainParameter(name, one)),
    ...headers.map(headerParameter),
  ];
  const requestBody = bodyOf(name, operation);
  const whole = { ...operation, parameters, ...(requestBody ? { requestBody } : {}) };
  return {
    ...whole,
    ...{ operationId, summary, ...(description && { description }), tags: [tag] },
    security: schemes[access],
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
  const example = exampleOf(schema, { components, optional: false }, ['body']);
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
  if (media) return Object.fromEntries(media.map((type) => [type, { schema: rawSchema(type) }]));
  const schema = (answers.answers as Readonly<Record<string, Json | null>>)[name];
  if (!schema) throw new Error(`${name} has no answer in answers.json`);
  const example = exampleOf(schema, { components, optional: true });
  return { 'application/json': { schema, example } };
}

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
    example: 'p4k0dJmYw2Tn5bHc8uXeQzR1sVfL6gAo9iMtNhUyBxE',
  },
};

/** A header that a request may carry, as a parameter. */
function headerParameter(name: RequestHeader): Json {
  return { name, in: 'header', required: false, ...requestHeaders[name] };
}

/** What an answer is that is no JSON: text, or bytes as they are. */
function rawSchema(type: string): Json {
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** What stands in a path, by the name before it and its own. No route has a schema for it: what is malformed is not found. */
const inPath: Readonly<Record<string, readonly [description: string, schema?: Json]>> = {
  'sessions/:id': ['The id of a session'],
  'jobs/:id': ['The id of a job'],
  'addresses/:id': ['The id of a suggested address'],
  'address/:id': ['The id of a suggested address'],
  'media/:id': ['The id of a file'],
  'questions/:id': ['The id of a question of the business’s own'],
  'photos/:photoId': ['Made by the sender', { type: 'string', pattern: '^[0-9a-f]{32}$' }],
  'public-forms/:slug': ['The public address of a business'],
  'answers/:token': ['Of the link in an alert'],
  'not-needed/:token': ['Of the link in a receipt'],
  'your-details/:token': ['Of the link in a receipt'],
  'export/:token': ['Of the answer to `POST /api/settings/export`'],
  'checkpoints/:size': ['How many leaves the tree has', { type: 'integer', minimum: 1 }],
  'corrections/:asked': ['The revision of its entry in the history', { type: 'integer', minimum: 0 }],
};

/**
 * A parameter as its route's schema has it, described beside the schema. A default is written as it is sent, as text: a number's
 * is its number, and so is that of an example. Throws for one in a path that `inPath` does not describe.
 */
function plainParameter(operation: string, { schema, ...parameter }: Json): Json {
  const name = String(parameter['name']);
  const { description, examples, default: usual, ...others } = plainSchema(schema as Json);
  const [, before] = new RegExp(`([^/]+)/:${name}\\b`).exec(operation) ?? [];
  const described = before && inPath[`${before}/:${name}`];
  if (parameter['in'] === 'path' && !described)
    throw new Error(`${name} of ${operation} has no description in openapi.ts`);
  const [words, whole = others] = described || [description];
  const isNumber = ['integer', 'number'].includes(String(whole['type']));
  const asSent = (text: unknown) => (isNumber ? Number(text) : text);
  const [own = usual === '' ? undefined : usual] = (examples ?? []) as readonly unknown[];
  const example = own ?? exampleOf(whole, { components, optional: false }, [name]);
  return {
    ...parameter,
    ...(words === undefined ? {} : { description: words }),
    example: asSent(example),
    schema: { ...whole, ...(usual === undefined ? {} : { default: asSent(usual) }) },
  };
}
