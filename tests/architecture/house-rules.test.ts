import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { codeFiles, filesIn, isTest } from './source-files.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const containing = (files: readonly string[], pattern: RegExp) =>
  files.filter((file) => pattern.test(read(file)));

test('no file is longer than 400 lines', () => {
  const written = filesIn().filter((file) => /\.(ts|tsx|astro|css|sql)$/.test(file));
  expect(written.filter((file) => read(file).trimEnd().split('\n').length > 400)).toEqual([]);
});

test('there are no barrels and no folder of odds and ends', () => {
  expect(codeFiles.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([]);
  expect(containing(codeFiles, /^export \* from/m)).toEqual([]);
  expect(
    filesIn().filter((file) => /(^|\/)(utils?|helpers?|misc|common|shared)(\/|\.tsx?$)/.test(file)),
  ).toEqual([]);
});

test('files are in kebab-case, components in PascalCase', () => {
  const kebab = /^\[?(\.\.\.)?[a-z0-9]+(-[a-z0-9]+)*\]?(\.[a-z0-9]+)*$/;
  const pascal = /^[A-Z][A-Za-z0-9]*(\.test)?\.(tsx|astro|css)$/;
  const named = codeFiles.map((file) => basename(file));
  expect(named.filter((name) => !kebab.test(name) && !pascal.test(name))).toEqual([]);
});

test('a default export is only where a tool reads it', () => {
  const allowed = /\.config\.ts$|\.astro$|^tests\/support\/(run\/stages|processes\/processes)\.ts$/;
  expect(containing(codeFiles, /^export default /m).filter((file) => !allowed.test(file))).toEqual([]);
});

test('the pure core knows no clock, no chance and no outside', () => {
  const pure = codeFiles.filter((file) => /^core\/(?!(event-store|postgres)\/)/.test(file) && !isTest(file));
  const impure =
    /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID|\bBun\.|\bprocess\.|\bfetch\(|\bTemporal\.Now\b/;
  expect(containing(pure, impure)).toEqual([]);
});

test('the site never puts text into a page as markup', () => {
  const asMarkup =
    /dangerouslySetInnerHTML|set:html|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcdoc/;
  const site = filesIn('site/src').filter((file) => /\.(ts|tsx|astro)$/.test(file) && !isTest(file));
  expect(containing(site, asMarkup)).toEqual([]);
});

test('the lock file holds no download addresses, and every package has one version', () => {
  expect(read('bun.lock')).not.toMatch(/https?:\/\//);
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const versions = Object.entries<string>({ ...dependencies, ...devDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test('every page for the signed in starts the shell, in a script of its own', () => {
  const pages = filesIn().filter((file) => /^site\/src\/pages\/.*\.astro$/.test(file));
  const signedIn = containing(pages, /layouts\/Shell\.astro/);
  expect(signedIn.length).toBeGreaterThan(10);
  expect(signedIn.filter((file) => !/<script>[\s\S]*\bstartShell\(\);/.test(read(file)))).toEqual([]);
});

test('browser tests share one `test`, and so their workers', () => {
  const own = filesIn('tests').filter((file) => file.endsWith('.e2e.ts'));
  expect(containing(own, /import \{[^}]*\btest\b[^}]*\} from '@playwright\/test'/)).toEqual([]);
});
