import { toOpenAPISchema } from '@elysiajs/openapi';
import type { Type } from 'arktype';
import { type AnyElysia, Elysia } from 'elysia';
import { describe, type Paths } from './description.ts';

/**
 * GET /api/openapi: the API's description (OpenAPI 3.1). Requests come from the routes' own schemas, answers from the types of
 * the handlers, the rest from `operations.ts`. It is made once, at the first request. No page: it would load scripts from afar.
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
