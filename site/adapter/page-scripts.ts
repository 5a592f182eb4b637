import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

/**
 * A page without React starts one script of its own, imported as `?worker&url`: built by itself, it shares no file with the pages
 * for the signed in, and holds what it uses alone. What such a script loads later is written beside the server's code: it is
 * copied to where browsers find it.
 */
export function pageScripts(): AstroIntegration {
  let folders: readonly [server: string, client: string] | undefined;
  return {
    name: 'page-scripts',
    hooks: {
      'astro:config:done': ({ config }) => {
        const { server, client, assets } = config.build;
        folders = [fileURLToPath(new URL(assets, server)), fileURLToPath(new URL(assets, client))];
      },
      'astro:build:done': () => {
        const [from, to] = folders ?? ['', ''];
        if (existsSync(from)) cpSync(from, to, { recursive: true, force: false });
      },
    },
  };
}
