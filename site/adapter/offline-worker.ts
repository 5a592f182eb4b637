import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { cachedPages, type Release } from '#site/lib/offline/shell-cache.ts';

/** Files that every page names besides those with a hash. */
const always = ['/icon.svg', '/manifest.webmanifest'];
const hashed = /\.(?:js|css|woff2|svg)$/;

/**
 * Writes `/sw.js` once the site is built: the worker of `src/lib/offline` with the list of the files that the cached pages are
 * made of. Another build of any of them is another worker.
 */
export function offlineWorker(): AstroIntegration {
  let client = '';
  return {
    name: 'offline-worker',
    hooks: {
      'astro:config:done': ({ config }) => {
        client = fileURLToPath(config.build.client);
      },
      'astro:build:done': async ({ logger }) => {
        const release = await releaseOf(client);
        const entry = fileURLToPath(new URL('../src/lib/offline/worker.ts', import.meta.url));
        const { outputs } = await Bun.build({
          entrypoints: [entry],
          target: 'browser',
          format: 'iife',
          minify: true,
          define: { RELEASE: JSON.stringify(release) },
        });
        await Bun.write(`${client}/sw.js`, outputs[0] ?? '');
        logger.info(`/sw.js caches ${release.files.length} files`);
      },
    },
  };
}

async function releaseOf(client: string): Promise<Release> {
  const assets = (await readdir(`${client}/_astro`)).filter((name) => hashed.test(name));
  const wanted = new Set<string>();
  const digest = createHash('sha256');
  for (const page of cachedPages) {
    const html = await readFile(`${client}${page === '/' ? '/index' : page}.html`, 'utf8');
    digest.update(html);
    await collect(client, html, assets, wanted);
  }
  const files = [...cachedPages, ...always, ...[...wanted].map((name) => `/_astro/${name}`).sort()];
  return { version: digest.update(files.join()).digest('base64url').slice(0, 12), files };
}

/** Adds every asset that a text names, and those that these name in turn. */
async function collect(
  client: string,
  text: string,
  assets: readonly string[],
  wanted: Set<string>,
): Promise<void> {
  for (const name of assets) {
    if (wanted.has(name) || !text.includes(name)) continue;
    wanted.add(name);
    if (/\.(?:js|css)$/.test(name))
      await collect(client, await readFile(`${client}/_astro/${name}`, 'utf8'), assets, wanted);
  }
}
