import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

/** The scripts that stand in a page itself, by the name in the element that waits for them. */
const entries: Readonly<Record<string, string>> = {
  check: 'features/record/start-check.ts',
  guard: 'guard.ts',
  'reserve-room': 'features/add-job/reserve-room.ts',
};
/** Where a page wants a script: `<script is:inline data-inlined="guard"></script>`. */
const places = /<script data-inlined="([^"]*)"><\/script>/g;

/** A script and all that it imports as one text. */
async function codeOf(name: string): Promise<string> {
  const entry = entries[name];
  if (!entry) throw new Error(`No script is named ${name}`);
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    ...{ minify: true, format: 'iife', target: 'browser' },
  });
  const text = (await outputs[0]?.text()) ?? '';
  // No text of the script ends the element that it stands in.
  return text.trim().replaceAll('</', '<\\/');
}

/**
 * Puts scripts into the pages that wait for them, and their hashes into the pages' policies. What runs before a page is painted
 * costs no request of its own then, and a page that is saved to a disk works.
 */
export function inlinedScripts(): AstroIntegration {
  return {
    name: 'inlined-scripts',
    hooks: {
      'astro:build:generated': async ({ dir, routeToHeaders }) => {
        const codes = new Map<string, string>();
        for (const name of Object.keys(entries)) codes.set(name, await codeOf(name));
        for (const [route, { headers }] of routeToHeaders) {
          const file = new URL(`${route === '/' ? 'index' : route.slice(1)}.html`, dir);
          if (!existsSync(file)) continue;
          const page = readFileSync(file, 'utf8');
          const wanted = Array.from(page.matchAll(places), ([, name = '']) => codes.get(name) ?? '');
          if (wanted.length === 0) continue;
          const policy = headers?.get('content-security-policy');
          if (!policy?.includes('script-src ')) throw new Error(`${route} has no policy for its script`);
          const hashes = wanted.map(
            (code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
          );
          headers?.set(
            'content-security-policy',
            policy.replace('script-src ', `script-src ${hashes.join(' ')} `),
          );
          writeFileSync(
            file,
            page.replace(places, (_, name: string) => `<script>${codes.get(name)}</script>`),
          );
        }
      },
    },
  };
}
