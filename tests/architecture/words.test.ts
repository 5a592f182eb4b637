import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventTypes } from '#core/event-store/event-types.ts';
import { filesIn } from './source-files.ts';

const own = 'tests/architecture/words.test.ts';
/** What people wrote, but for what is recorded or applied and may never change. */
const written = filesIn().filter(
  (file) =>
    /\.(ts|tsx|astro|css|sql|md|yaml|json)$/.test(file) &&
    !/^(migrations\/sql\/|tests\/event-store\/golden|node_modules\/)/.test(file) &&
    file !== own,
);

/** Each place where a pattern stands, in lines of a kind, as `file:line: the match`. */
function places(pattern: RegExp, files: readonly string[] = written, lines = /^/): string[] {
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        (lines.test(line) ? [...line.matchAll(pattern)] : []).map(
          ([match]) => `${file}:${index + 1}: ${match}`,
        ),
      ),
  );
}

test('nothing refers to a file or an issue that is not in the repository', () => {
  const documents =
    /\b(?:spec|DESIGN|audit|style|house|market|parts|security|event-store)\.md\b|§\s?\d|\bissue #?\d+\b/g;
  expect(places(documents)).toEqual([]);
});

/** Private words of earlier versions, and what is said instead (core/README.md). */
const gone: readonly (readonly [RegExp, string])[] = [
  [/\b(?:un)?pok(?:e[ds]?|ing)\b|\bonPoke\b/gi, 'notify'],
  [/\bpatience\b|\bimpatient(?! )\b/g, 'timeout'],
  [/\bwish(?:es)?\b|\b[A-Z]\w*Wish\b/g, 'command or change'],
  [/\bonly a fact\b|\bStanding\b|\bstandings\b/g, 'delivery status or projection status'],
  [/\bbur(?:y|ied|ies)\b|\bbury[A-Z]\w*/g, 'dead-letter'],
  [/\bputs? off\b|\bputOff\b/g, 'retry later'],
  [/\bcanar(?:y|ies)\b/gi, 'marker'],
  [/\b(?:admit(?:s|ted)?|admissions?|letIn|takeIn)\b/gi, 'accept'],
];

test.each(gone)('%s is not written any more: it is called %s', (pattern) => {
  expect(places(pattern)).toEqual([]);
});

/** A line of a comment, or the title of a test: texts that users read stand elsewhere. */
const prose = /^\s*(?:\{?\/?\*|\/\/|(?:test|describe)\b|\]\)\()/;

/** The same in the site alone, where the words stay in texts that users read. */
const goneInTheSite: readonly (readonly [RegExp, string])[] = [
  [/\b(?:kept|keeps|keeping)\b/gi, 'stored, cached or saved'],
  [/\b(?:nobody|somebody|anybody|whoever)\b/gi, 'the role: user, customer, business, operator'],
  [/\b(?:told|tells|hears|heard)\b/gi, 'shown, sent, announced or called'],
  [/\b(?:knows|forgets|remembers|thinks|learns)\b/gi, 'has, removes, stores'],
  [/\bdoors?\b|\badmits?\b/gi, 'scope, or accept'],
];

test.each(goneInTheSite)('comments and titles of the site hold no %s: write %s', (pattern) => {
  const site = written.filter((file) => /^(?:site|tests\/browser|tests\/journeys)\//.test(file));
  expect(site.length).toBeGreaterThan(400);
  expect(places(pattern, site, prose)).toEqual([]);
});

test('comments, titles and documents of the server and its tests name the role, never nobody or somebody', () => {
  const ofServer = written.filter((file) =>
    /^(?:api|core|migrations|projections|tests\/(?!browser|journeys))\/|^[A-Z]+\.md$/.test(file),
  );
  expect(ofServer.length).toBeGreaterThan(600);
  const word = /\b(?:nobody|somebody|whoever|someone)\b/gi;
  const inProse = /\b(?:kept|anybody|hears|admits?)\b/gi;
  const [documents, code] = [true, false].map((isText) =>
    ofServer.filter((file) => file.endsWith('.md') === isText),
  );
  expect(places(word, documents)).toEqual([]);
  expect(places(word, code, prose)).toEqual([]);
  expect(places(inProse, code, prose)).toEqual([]);
});

test('every file that a document names is there, from the root or beside the document', () => {
  const decisions = readdirSync('core/decisions');
  const documents = [
    ...['README.md', 'CONTRIBUTING.md', 'core/README.md', 'site/README.md', 'api/OPERATE.md'],
    ...['api/SECURITY.md', 'api/operate/SCALE.md', 'tests/bench/PERFORMANCE.md'],
    ...decisions.map((file) => `core/decisions/${file}`),
  ];
  const path = /`((?:api|core|migrations|operate|projections|proof|site|src|tests)\/[\w./@[\]-]+)`/g;
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
