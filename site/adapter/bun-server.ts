import node from '@astrojs/node';
import type { AstroIntegration } from 'astro';

/**
 * The Node adapter with our own server entry. Its entry speaks only Node's `(req, res)`; ours speaks
 * Request and Response, so that the pages run inside the Elysia process on Bun.
 */
export function bunServer(): AstroIntegration {
  const base = node({ mode: 'middleware', staticHeaders: true });
  const done = base.hooks['astro:config:done'];
  return {
    ...base,
    hooks: {
      ...base.hooks,
      'astro:config:done': (options) =>
        done?.({
          ...options,
          setAdapter: (adapter) =>
            options.setAdapter({
              ...adapter,
              serverEntrypoint: new URL('./server-entry.ts', import.meta.url),
            } as Parameters<typeof options.setAdapter>[0]),
        }),
    },
  };
}
