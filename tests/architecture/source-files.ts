import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type Import = Readonly<{ from: string; target: string; specifier: string; kind: Bun.ImportKind }>;

/** What installing, building, running and testing leave behind; git ignores the same. */
const made = new Set([
  '.git',
  '.astro',
  '.data',
  '.vite',
  'dist',
  'node_modules',
  'playwright-report',
  'test-results',
  '.env',
]);

/** Names in a folder of the checkout, without what is made. */
export const entriesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !made.has(name));

/** Every file below a folder of the checkout, as a path from the root. */
export function filesIn(folder = '.'): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = normalize(join(folder, entry.name));
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

export const codeFiles = filesIn().filter(
  (file) => /\.(ts|tsx|astro)$/.test(file) && !file.endsWith('.d.ts'),
);

/** A test beside its subject may reach for whatever it needs. */
export const isTest = (file: string) => file.startsWith('tests/') || /\.test\.tsx?$/.test(file);

/** What a file imports at run time: type-only imports vanish before that and are not listed. */
export function importsOf(file: string): Import[] {
  const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
  const transpiler = new Bun.Transpiler({ loader });
  return codeOf(file)
    .flatMap((code) => transpiler.scanImports(code))
    .map(({ path, kind }) => ({
      from: file,
      target: resolve(file, path),
      specifier: path,
      kind,
    }));
}

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const specifiers = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"\n]+)['"]/g;

/** Our own files that a file names in an import, as paths from the root. Imports of types count: a reader follows them too. */
export function dependenciesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(comments, '');
  const named = [...text.matchAll(specifiers)].map(([, specifier = '']) => specifier);
  const own = named.filter((specifier) => /^[.#]/.test(specifier));
  return [...new Set(own.map((specifier) => resolve(file, specifier)))].filter((target) => target !== file);
}

/** The TypeScript of a file; of an Astro page, its frontmatter and its scripts, each a module of its own. */
function codeOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.astro')) return [text];
  const frontmatter = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '';
  const scripts = [...text.matchAll(/<script(?![^>]*is:inline)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => match[1] ?? '',
  );
  return [withoutTypes(frontmatter), ...scripts];
}

/** A component that only the markup names looks unused to the transpiler, which then drops its import. */
function withoutTypes(frontmatter: string): string {
  const names = [...frontmatter.matchAll(/^import (?!type\b)([^;]+?) from /gm)].flatMap(
    (match) => (match[1] ?? '').replace(/\btype \w+,?/g, '').match(/\w+/g) ?? [],
  );
  return `${frontmatter.replace(/\breturn\b/g, 'void')}\nexport const used = [${names.filter((name) => name !== 'as').join(', ')}];`;
}

/** Path below the checkout for our own files, the name for packages and Bun's or Node's modules. */
function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  if (specifier.startsWith('#site/')) return specifier.replace('#site/', 'site/src/');
  return specifier.startsWith('#') ? specifier.slice(1) : specifier;
}
