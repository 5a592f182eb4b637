import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

const link = /<link rel="stylesheet" href="(\/_astro\/[^"]+\.css)">/g;
/** What a page's frame brings: pages of one frame share its styles. */
const frames = [/<html[^>]* data-guarded/, /<html/];
/** The sheets of a page that the server makes on demand, as its code lists them. */
const listed = /"styles":\[((?:\{"type":"external","src":"_astro\/[^"]+\.css"\},?)+)\]/g;

/**
 * Gives every prerendered page two style sheets at most: what all pages of its frame show, which a browser has stored
 * after the first of them, and its own. One that is made on demand has one: its visitor sees no other page. The bundler makes a
 * file for each set of pages that share one, ten for a page.
 */
export function pageStyles(): AstroIntegration {
  let server = '';
  return {
    name: 'page-styles',
    hooks: {
      'astro:config:done': ({ config }) => {
        server = fileURLToPath(new URL(config.build.serverEntry, config.build.server));
      },
      'astro:build:done': ({ dir }) => {
        const root = fileURLToPath(dir);
        const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
        const pages = files
          .filter((file) => file.endsWith('.html'))
          .map((file) => ({ file, html: readFileSync(`${root}${file}`, 'utf8') }));
        const byFrame = Map.groupBy(pages, ({ html }) => frames.findIndex((frame) => frame.test(html)));
        for (const ofFrame of byFrame.values()) {
          const lists = ofFrame.map(({ html }) => sheetsOf(html));
          const common = (lists[0] ?? []).filter((sheet) => lists.every((list) => list.includes(sheet)));
          for (const { file, html } of ofFrame) {
            const own = sheetsOf(html).filter((sheet) => !common.includes(sheet));
            const links = [common, own]
              .filter(({ length }) => length > 0)
              .map((sheets) => `<link rel="stylesheet" href="${join(root, sheets)}">`);
            let left = links.join('');
            const joined = html.replace(link, () => {
              const all = left;
              left = '';
              return all;
            });
            writeFileSync(`${root}${file}`, joined);
          }
        }
        joinOnDemand(root, server);
      },
    },
  };
}

function joinOnDemand(root: string, server: string): void {
  const code = readFileSync(server, 'utf8');
  const joined = code.replace(listed, (_, list: string) => {
    const sheets = Array.from(list.matchAll(/"src":"([^"]+)"/g), ([, path = '']) => `/${path}`);
    return `"styles":[{"type":"external","src":"${join(root, sheets).slice(1)}"}]`;
  });
  if (joined === code) throw new Error(`${server} lists no style sheets as this build expects`);
  writeFileSync(server, joined);
}

function sheetsOf(html: string): string[] {
  return Array.from(html.matchAll(link), ([, path = '']) => path);
}

/** Writes several sheets as one, in their order; gives its address. */
function join(root: string, sheets: readonly string[]): string {
  const css = sheets.map((path) => readFileSync(`${root}${path.slice(1)}`, 'utf8')).join('\n');
  const name = `_astro/page.${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`;
  writeFileSync(`${root}${name}`, css);
  return `/${name}`;
}
