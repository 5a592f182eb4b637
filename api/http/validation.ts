import type { ValidationError } from 'elysia';

/** What a schema says of one value: `message` is the schema's own sentence, never arktype's "(was …)". */
type Issue = Readonly<{
  code?: string;
  expected?: unknown;
  path?: readonly unknown[];
  input?: { message?: unknown };
  meta?: { message?: unknown };
}>;

const MOST_FIELDS = 20;
const PLAIN_KEY = /^[A-Za-z][A-Za-z0-9-]{0,39}$/;

/**
 * Field → message of a failed validation. Only sentences that a schema was given for people are passed on:
 * the libraries' own texts repeat the value, a password as well as any other.
 */
export function fieldsOf(error: ValidationError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of issuesOf(error).slice(0, MOST_FIELDS)) {
    const undeclared = issue.expected === 'removed';
    const path = fieldPath(undeclared ? Array.from(issue.path ?? []).slice(0, -1) : (issue.path ?? []));
    fields[path] ??= undeclared ? 'A name in here is not known' : sentence(issue);
  }
  return fields;
}

/** `answers.0.text`; a key that is not a plain name is left out, so that no input is repeated. `body` for the whole. */
export function fieldPath(path: readonly unknown[]): string {
  // arktype's path is an array whose own `map` answers something else.
  const parts = Array.from(path, (part) =>
    typeof part === 'number' || PLAIN_KEY.test(String(part)) ? String(part) : '*',
  );
  return parts.length === 0 ? 'body' : parts.join('.');
}

function issuesOf(error: ValidationError): readonly Issue[] {
  const { validator } = error as { validator?: unknown };
  const standard = standardSchema(validator);
  const result = standard?.validate(error.value);
  if (!result || result instanceof Promise) return [];
  return result.issues ?? [];
}

type Standard = { validate(value: unknown): { issues?: readonly Issue[] } | Promise<unknown> };

function standardSchema(validator: unknown): Standard | undefined {
  const holder = validator as { '~standard'?: Standard; schema?: { '~standard'?: Standard } } | undefined;
  return holder?.['~standard'] ?? holder?.schema?.['~standard'];
}

function sentence({ code, input, meta }: Issue): string {
  const own = input?.message ?? meta?.message;
  if (typeof own === 'string') return own;
  return code === 'required' ? 'This is required' : 'Please check this value';
}
