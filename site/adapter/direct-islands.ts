import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

const island = /component-url="(\/_astro\/[^"]+\.js)" component-export="([^"]+)"/g;
/** A module that only hands on one export of another. */
const handedOn = /^export\{(\w+) as (\w+)\}from"\.\/([^"]+\.js)";\s*$/;

/**
 * Has an island load the file that its component is in. Where that is one with other modules, the bundler makes a file beside it
 * that hands the component on: a request for each visit.
 */
export function directIslands(): AstroIntegration {
  return {
    name: 'direct-islands',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const root = fileURLToPath(dir);
        for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
          if (!file.endsWith('.html')) continue;
          const html = readFileSync(`${root}${file}`, 'utf8');
          const direct = html.replace(island, (asIs, path: string, name: string) => {
            const source = readFileSync(`${root}${path.slice(1)}`, 'utf8');
            const [, inFile, out, target] = handedOn.exec(source) ?? [];
            return out === name ? `component-url="/_astro/${target}" component-export="${inFile}"` : asIs;
          });
          if (direct !== html) writeFileSync(`${root}${file}`, direct);
        }
      },
    },
  };
}
