import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from './source-files.ts';

const own = 'tests/architecture/words.test.ts';
/** What people wrote, but for what is recorded or applied and may never change. */
const written = filesIn().filter(
  (file) =>
    /\.(ts|tsx|astro|css|sql|md|yaml|json)$/.test(file) &&
    !/^(migrations\/sql\/|tests\/event-store\/golden|node_modules\/)/.test(file) &&
    file !== own,
);

/** Each place where a pattern stands, as `file:line: the match`. */
function places(pattern: RegExp, files: readonly string[] = written): string[] {
  return files.flatMap((file) =>
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

/** Private words of earlier versions, and what is said instead (core/README.md). */
const gone: readonly (readonly [RegExp, string])[] = [
  [/\bbur(?:y|ied|ies)\b|\bbury[A-Z]\w*/g, 'dead-letter'],
  [/\bputs? off\b|\bputOff\b/g, 'retry later'],
  [/\bcanar(?:y|ies)\b/gi, 'marker'],
];

test.each(gone)('%s is not written any more: it is called %s', (pattern) => {
  expect(places(pattern)).toEqual([]);
});
