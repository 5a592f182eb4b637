import { type ArkError, scope, Traversal, type Type, type } from 'arktype';
import { invalid } from './answers.ts';

/** After so many problems the validation of a request stops: a person mends a few at a time. */
const MOST_PROBLEMS = 20;
const PLAIN_KEY = /^[A-Za-z][A-Za-z0-9-]{0,39}$/;
/** What a route may have a schema for. */
const PARTS = ['body', 'query', 'params', 'headers'] as const;

declare global {
  interface ArkEnv {
    /** `refusal`: the sentence above the fields, where a request is refused by this schema. */
    meta(): { refusal?: string };
  }
}

/**
 * Compiles what is parsed in it. A schema that is walked, as all are that nothing compiled (core/kernel/schema-settings.ts), says of
 * alternatives only that none fits; compiled it says what is wrong with the one that was meant.
 */
const compiling = scope({}, { jitless: false });

type Route = Readonly<{ method: string; path: string; hooks: object }>;

/**
 * Lets the schemas of these routes refuse a value by themselves (422 with `fields`), so that a request is validated once and
 * Elysia's own report, which writes down the whole value and every problem, is never made. Call it before the first request.
 * Throws for a schema that is not arktype's.
 */
export function refuseInvalid(routes: readonly Route[]): void {
  for (const { method, path, hooks } of routes) {
    for (const part of PARTS) {
      const schema = (hooks as Record<string, unknown>)[part];
      if (schema === undefined) continue;
      if (!isArktype(schema))
        throw new TypeError(`the ${part} of ${method} ${path} has no schema of arktype`);
      let compiled: Type | undefined;
      const standard = {
        ...schema['~standard'],
        validate(value: unknown) {
          compiled ??= compiling.type(schema) as Type;
          return { value: valid(compiled, value, part) };
        },
      };
      Object.defineProperty(schema, '~standard', { value: standard, configurable: true });
    }
  }
}

/** The value as the schema gives it on. Throws 422 with the first problems, by field. */
function valid(schema: Type, value: unknown, part: (typeof PARTS)[number]): unknown {
  const refusal = () => invalid(fieldsOf(errors, part), schema.meta.refusal);
  const traversal = new Traversal(value, schema.internal.$.resolvedConfig);
  const { errors } = traversal;
  const add = errors.add.bind(errors);
  errors.add = (error) => {
    add(error);
    if (errors.count >= MOST_PROBLEMS) throw refusal();
  };
  schema.internal.traverse(value, traversal);
  const result = traversal.finalize(null);
  if (errors.count > 0) throw refusal();
  return result;
}

/**
 * Field → message. Only sentences that a schema was given for people are passed on: the library's own texts repeat the value,
 * a password as well as any other.
 */
function fieldsOf(errors: Iterable<ArkError>, part: (typeof PARTS)[number]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const error of errors) {
    const isUndeclared = error.expected === 'removed';
    if (isUndeclared && part === 'query') {
      fields['*'] = 'Unknown parameter';
      continue;
    }
    const path = fieldPath(Array.from(error.path).slice(0, isUndeclared ? -1 : undefined));
    fields[path] ??= isUndeclared ? 'A name in here is not known' : sentence(error);
  }
  return fields;
}

/** `answers.0.text`; a key that is not a plain name is left out, so that no input is repeated. `body` for the whole. */
export function fieldPath(path: readonly unknown[]): string {
  const parts = path.map((part) =>
    typeof part === 'number' || PLAIN_KEY.test(String(part)) ? String(part) : '*',
  );
  return parts.length === 0 ? 'body' : parts.join('.');
}

/** The schema's own sentence, never arktype's "(was …)". */
function sentence(error: ArkError): string {
  const { input, meta } = error as unknown as Record<'input' | 'meta', { message?: unknown } | undefined>;
  const own = input?.message ?? meta?.message;
  if (typeof own === 'string') return own;
  return error.code === 'required' ? 'This is required' : 'Please check this value';
}

function isArktype(schema: unknown): schema is Type {
  const { vendor } = (schema as { '~standard'?: { vendor?: unknown } })['~standard'] ?? {};
  return vendor === 'arktype';
}

/** A parameter of any text, and what it is for. */
export function textParameter(description: string, example?: string) {
  return type('string').configure({ description, ...(example === undefined ? {} : { examples: [example] }) });
}

/** A whole number from 1 to `most`, as it is typed. `message` is for the person whose number is none. */
export function countParameter(most: number, message: string) {
  const isCount = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
  return type('string')
    .narrow((text, ctx) => isCount(text) || ctx.reject({ message }))
    .pipe(Number, type(`1 <= number.integer <= ${most}`));
}
