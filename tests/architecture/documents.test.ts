import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventTypes } from '#core/event-store/event-types.ts';
import { filesIn } from './source-files.ts';

const own = 'tests/architecture/documents.test.ts';
/** What people wrote, but for what is recorded or applied and may never change. */
const written = filesIn().filter(
  (file) =>
    /\.(ts|tsx|astro|css|sql|md|yaml|json)$/.test(file) &&
    !/^(migrations\/sql\/|tests\/event-store\/golden|node_modules\/)/.test(file) &&
    file !== own,
);

/** Each place where a pattern stands, as `file:line: the match`. */
function places(pattern: RegExp): string[] {
  return written.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map(([match]) => `${file}:${index + 1}: ${match}`),
      ),
  );
}

test('nothing refers to a file or an issue that is not in the repository', () => {
  const documents =
    /\b(?:spec|DESIGN|audit|style|house|market|parts|security|event-store)\.md\b|§\s?\d|\bissue #?\d+\b/g;
  expect(places(documents)).toEqual([]);
});

test('every file that a document names is there, from the root or beside the document', () => {
  const decisions = readdirSync('core/decisions');
  const documents = [
    ...['README.md', 'CONTRIBUTING.md', 'core/README.md', 'site/README.md'],
    ...readdirSync('api/operate').flatMap((file) => (file.endsWith('.md') ? [`api/operate/${file}`] : [])),
    ...['api/SECURITY.md', 'tests/bench/PERFORMANCE.md'],
    ...decisions.map((file) => `core/decisions/${file}`),
  ];
  const path = /`((?:api|core|migrations|projections|proof|site|src|tests)\/[\w./@[\]-]+)`/g;
  /** What the site's own document names is below `site/src`, or `site`. */
  const ofSite = /`((?:adapter|features|jobs|layouts|lib|pages|src|styles|ui)\/[\w./@[\]-]+)`/g;
  const named = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(document === 'site/README.md' ? ofSite : path)].map(
      ([, file = '']) => ({ document, file }),
    ),
  );
  expect(named.length).toBeGreaterThan(200);
  /** What newcomers read first names everything from the root. */
  const foldersOf = (document: string) => {
    if (['README.md', 'CONTRIBUTING.md', 'core/README.md'].includes(document)) return ['.'];
    return document === 'site/README.md' ? ['site', 'site/src'] : ['.', dirname(document)];
  };
  const isThere = (document: string, file: string) => {
    // A decision is named by its number.
    const number = /^core\/decisions\/(\d{3})$/.exec(file)?.[1];
    return number
      ? decisions.some((decision) => decision.startsWith(number))
      : foldersOf(document).some((folder) => existsSync(join(folder, file)));
  };
  expect(named.filter(({ document, file }) => !isThere(document, file))).toEqual([]);
});

test('core/README.md says of every event of the log what it means', () => {
  const text = readFileSync('core/README.md', 'utf8');
  const declared = Object.values(eventTypes).flatMap((events) => Object.keys(events));
  expect(declared.filter((type) => !text.includes(`\`${type}\``))).toEqual([]);
});
