import { idempotencyKeyPattern } from '../idempotency.ts';
import type { RequestHeader } from './operations.ts';
import type { Json } from './schema.ts';

const requestHeaders: Readonly<Record<RequestHeader, Json>> = {
  'idempotency-key': {
    description: 'A repeat under the same key does nothing twice and has the same answer',
    schema: { type: 'string', pattern: idempotencyKeyPattern.source },
    example: '0198c0de-7b1e-7000-8000-000000000001',
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

type Parameter = Readonly<{ schema: Json; description?: string; required?: true; example?: unknown }>;
type Parameters = Readonly<Record<string, Parameter>>;

const upTo = (maximum: number, more: Json = {}): Parameter => ({
  schema: { type: 'integer', minimum: 1, maximum, ...more },
});
const text = (description: string, maxLength: number, more: Partial<Parameter> = {}): Parameter => ({
  schema: { type: 'string', maxLength },
  description,
  ...more,
});
const oneOf = (values: readonly string[], more: Json = {}): Parameter => ({
  schema: { type: 'string', enum: values, ...more },
});
const day = (description: string): Parameter => ({
  schema: { type: 'string', format: 'date' },
  description,
});

const token: Parameter = {
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{0,36}$' },
  description: 'The same for all calls while one address is typed: some providers charge by it',
};
const suggestions: Parameters = {
  q: text('What was typed so far; fewer than 3 characters suggest nothing', 200, { example: '12 George' }),
  token,
};
const region = oneOf(['au', 'nz', ''], { default: 'au' });

/** The queries that a route reads without a schema, by operation. */
const queries: Readonly<Record<string, Parameters>> = {
  'GET /api/jobs': {
    page: upTo(500, { default: 1 }),
    limit: upTo(100, { default: 75 }),
    search: text('Nothing, or 3 to 100 characters', 100),
    dir: oneOf(['asc', 'desc'], { default: 'desc' }),
    sort: oneOf(['createdAt', 'scheduledAt', 's.date'], { default: 'createdAt' }),
    filter: {
      schema: { type: 'string' },
      description: 'Statuses with commas between, or `today`; without it, every status',
      example: 'To quote,In progress',
    },
  },
  'GET /api/jobs/schedule': {
    from: day('The first day, together with `to`; without them, the usual days'),
    to: day('The last day, at most 180 days in all'),
    ahead: { ...upTo(180), description: 'Days from today on, instead of `from` and `to`' },
    page: upTo(200, { default: 1 }),
    limit: upTo(500, { default: 500 }),
  },
  'GET /api/jobs/hints': {
    scheduledAt: { schema: { type: 'string' }, description: 'A time; jobs at that time overlap' },
    phone: {
      schema: { type: 'string' },
      description: 'Of the customer. What is still being typed is not compared',
    },
    email: { schema: { type: 'string' }, description: 'Of the customer' },
    address: { schema: { type: 'string' }, description: 'Where the work is; 300 characters are compared' },
    except: { schema: { type: 'string' }, description: 'The id of a job that is no hint' },
  },
  'GET /api/addresses': suggestions,
  'GET /api/addresses/:id': { token },
  'GET /api/registration/address': suggestions,
  'GET /api/registration/address/:id': { token },
  'GET /api/public-forms/:slug/addresses': suggestions,
  'GET /api/public-forms/:slug/addresses/:id': { token },
  'GET /api/registration/bn': {
    q: { schema: { type: 'string' }, description: 'A name or a number', example: 'Pipes and Sons' },
    r: region,
  },
  'GET /api/registration/postcode': {
    postcode: { schema: { type: 'string', pattern: '^\\s*\\d{4}\\s*$' }, required: true, example: '2000' },
    region,
  },
  'GET /api/settings/branding/slug': {
    q: {
      schema: { type: 'string' },
      description: 'The public address that is wanted',
      example: 'pipes-and-sons',
    },
  },
  'GET /api/media/:id': {
    exp: { schema: { type: 'string', pattern: '^\\d{1,12}$' }, required: true, description: 'Of the link' },
    sig: { schema: { type: 'string' }, required: true, description: 'Of the link' },
  },
  'POST /api/public-forms/:slug/media': {
    name: { schema: { type: 'string' }, description: 'What the file is called', example: 'tap.jpg' },
  },
  'GET /api/live': {
    age: {
      schema: { type: 'number', minimum: 0 },
      description: 'Milliseconds since the reader last read: what changed meanwhile is a `resync`',
    },
  },
};

/**
 * The parameters of a query that its route reads by itself. Throws where the route has a schema for one of them: that schema
 * describes it already.
 */
export function queryParameters(operation: string, known: readonly Json[]): readonly Json[] {
  return Object.entries(queries[operation] ?? {}).map(([name, { required = false, ...parameter }]) => {
    if (known.some((each) => each['in'] === 'query' && each['name'] === name))
      throw new Error(`${operation} has a schema for ${name}: take it out of parameters.ts`);
    return { name, in: 'query', required, ...parameter };
  });
}
