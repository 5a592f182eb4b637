import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

const entry = fileURLToPath(new URL('../src/features/record/start-check.ts', import.meta.url));
/** Where `check.astro` wants its script. */
const place = '<script data-inlined></script>';

/** The script of `/check` and all that it imports as one text. */
async function codeOfCheck(): Promise<string> {
  const { outputs } = await Bun.build({
    ...{ entrypoints: [entry], minify: true, format: 'iife', target: 'browser' },
  });
  const text = (await outputs[0]?.text()) ?? '';
  // No text of the script ends the element that it stands in.
  return text.trim().replaceAll('</', '<\\/');
}

/** Puts the script of `/check` into the page, and its hash into the page's policy: the page works when it is saved to a disk. */
export function inlinedScripts(): AstroIntegration {
  return {
    name: 'inlined-scripts',
    hooks: {
      'astro:build:generated': async ({ dir, routeToHeaders }) => {
        const file = new URL('check.html', dir);
        const page = await readFile(file, 'utf8');
        const headers = routeToHeaders.get('/check')?.headers;
        const policy = headers?.get('content-security-policy');
        if (!page.includes(place) || !headers || !policy?.includes('script-src '))
          throw new Error('check.html has no place for its script');
        const code = await codeOfCheck();
        const hash = createHash('sha256').update(code).digest('base64');
        headers.set('content-security-policy', policy.replace('script-src ', `script-src 'sha256-${hash}' `));
        await writeFile(
          file,
          page.replace(place, () => `<script>${code}</script>`),
        );
      },
    },
  };
}
