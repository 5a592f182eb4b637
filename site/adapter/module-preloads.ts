import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';

/** What a page starts by itself: its module scripts, then its islands and what draws them. */
const scripts = /type="module" src="(\/_astro\/[^"]+\.js)"/g;
const islands = /(?:component|renderer)-url="(\/_astro\/[^"]+\.js)"/g;
/** What a built module imports before it runs. */
const imports = /(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g;

/**
 * Names in the head of every prerendered page all modules that it starts with. A browser sees a module's imports only
 * by reading it: on a phone each such level costs a round trip. All of them give way to what is painted first: styles and fonts.
 */
export function modulePreloads(): AstroIntegration {
  return {
    name: 'module-preloads',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const root = fileURLToPath(dir);
        const modulesOf = readModules(root);
        for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
          if (!file.endsWith('.html')) continue;
          const html = readFileSync(`${root}${file}`, 'utf8');
          writeFileSync(`${root}${file}`, withPreloads(html, modulesOf(html)));
        }
      },
    },
  };
}

/** Reads a build: gives the modules that a page starts with, however many imports away. */
export function readModules(root: string): (html: string) => ReadonlySet<string> {
  const modules = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const known = modules.get(path);
    if (known) return known;
    const source = readFileSync(`${root}${path.slice(1)}`, 'utf8');
    const found = Array.from(source.matchAll(imports), ([, name]) => `/_astro/${name}`);
    modules.set(path, found);
    return found;
  };
  return (html) => {
    const needed = new Set<string>();
    const take = (path: string): void => {
      if (needed.has(path)) return;
      needed.add(path);
      importsOf(path).forEach(take);
    };
    for (const start of [scripts, islands]) for (const [, path = ''] of html.matchAll(start)) take(path);
    return needed;
  };
}

function withPreloads(html: string, modules: ReadonlySet<string>): string {
  const links = Array.from(
    modules,
    (path) => `<link rel="modulepreload" href="${path}" fetchpriority="low">`,
  );
  // Astro writes scripts behind the element that they belong to.
  const [page = html, behind = ''] = html.split(/(?<=<\/html>)/);
  return page
    .replace(/<\/body>\s*<\/html>$/, () => `${behind.trim()}</body></html>`)
    .replace(scripts, (script) => `${script} fetchpriority="low"`)
    .replace('</head>', () => `${links.join('')}</head>`);
}
