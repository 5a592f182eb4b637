import { openapi } from '@elysiajs/openapi';
import type { Type } from 'arktype';
import { product } from '#core/values/product.ts';

/** The API's description at `/api/openapi`, generated from the routes' own schemas. No page: it would load scripts from afar. */
export function openApi() {
  return openapi({
    provider: null,
    path: '/api/openapi',
    specPath: '/api/openapi',
    // The site's own routes are not the API's.
    exclude: { paths: [/^\/(?!api\/)/] },
    documentation: { info: { title: product.name, version: '1' } },
    // What JSON Schema cannot say (a rule in code) is described by the shape below it.
    mapJsonSchema: { arktype: (schema: Type) => schema.toJsonSchema({ fallback: ({ base }) => base }) },
  });
}
