import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { readModules } from './module-preloads.ts';
import { usedStyles } from './used-styles.ts';

const link = /<link rel="stylesheet" href="(\/_astro\/[^"]+\.css)">/g;
/** Astro writes the style of its islands before the first of them, in the body, where HTML has none. */
const ofIslands = /<style>astro-island[^<]*<\/style>/;
/** What a page's frame brings: pages of one frame share its styles. */
const frames = [/<html[^>]* data-guarded/, /<html/];
/** Pages that are weighed with their styles: each has one sheet, of what it uses. By their files, with the elements that their scripts make. */
const weighed: Readonly<Record<string, readonly string[]>> = { 'check.html': ['li'] };
/** The sheets of a page that the server makes on demand, as its code lists them. */
const listed = /"styles":\[((?:\{"type":"external","src":"_astro\/[^"]+\.css"\},?)+)\]/g;
/** What a module loads before what it imports later: the list that the bundler writes at its head. */
const loadedLater = /\bm\.f=\[[^\]]*\]/;

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
            const made = weighed[file];
            const addresses = made
              ? [write(root, usedStyles(read(root, [...common, ...own]), html, made))]
              : [common, own].filter(({ length }) => length > 0).map((sheets) => join(root, sheets));
            const links = addresses.map((address) => `<link rel="stylesheet" href="${address}">`);
            let left = links.join('');
            const joined = html.replace(link, () => {
              const all = left;
              left = '';
              return all;
            });
            writeFileSync(`${root}${file}`, inHead(joined));
          }
        }
        leaveOutWhatPagesHave(root, pages);
        joinOnDemand(root, server);
      },
    },
  };
}

function inHead(html: string): string {
  const style = ofIslands.exec(html)?.[0];
  return style ? html.replace(style, '').replace('</head>', `${style}</head>`) : html;
}

/**
 * What a module loads later waits for the sheets of all that it imports, which the bundler makes for scripts alone: their rules
 * are in the sheets of its pages too. A sheet of which every page of the module has each rule is named no more: in its place stands the
 * module, which is loaded. Pages that are made on demand start no module that loads others.
 */
function leaveOutWhatPagesHave(root: string, pages: readonly Readonly<{ html: string }>[]): void {
  const modulesOf = readModules(root);
  const pagesOf = new Map<string, string[]>();
  for (const { html } of pages) {
    const styles = read(root, sheetsOf(html));
    for (const path of modulesOf(html)) pagesOf.set(path, [...(pagesOf.get(path) ?? []), styles]);
  }
  for (const [path, stylesOfPages] of pagesOf) {
    const code = read(root, [path]);
    const left = code.replace(loadedLater, (list) =>
      list.replace(/"(_astro\/[^"]+\.css)"/g, (named, sheet: string) => {
        const rules = read(root, [`/${sheet}`]).match(/[^{}]+\{[^{}]*\}/g) ?? [];
        const isThere = stylesOfPages.every((styles) => rules.every((rule) => styles.includes(rule)));
        return isThere ? `"${path.slice(1)}"` : named;
      }),
    );
    if (left !== code) writeFileSync(`${root}${path.slice(1)}`, left);
  }
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
  return write(root, read(root, sheets));
}

function read(root: string, sheets: readonly string[]): string {
  return sheets.map((path) => readFileSync(`${root}${path.slice(1)}`, 'utf8')).join('\n');
}

function write(root: string, css: string): string {
  const name = `_astro/page.${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`;
  writeFileSync(`${root}${name}`, css);
  return `/${name}`;
}
