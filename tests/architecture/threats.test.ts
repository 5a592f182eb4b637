import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from './source-files.ts';

const document = readFileSync('api/SECURITY.md', 'utf8');
const rows = document.split('\n').filter((line) => /^\| T\d+ \|/.test(line));

/** What a row cites: a file, and the title that follows it in quotes, if any. */
const citations = rows.flatMap((row) => {
  const cells = row.split(' | ');
  return [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`(?: "([^"]+)")?/g)].map(([, file = '', title]) => ({
    row: cells[0]?.slice(2) ?? '',
    ...{ file, title },
  }));
});

test('every threat from T1 to T40 stands in the table once, with a test', () => {
  const numbers = rows.map((row) => Number(/T(\d+)/.exec(row)?.[1]));
  expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  const shown = new Set(citations.map(({ row }) => row));
  expect(numbers.filter((number) => !shown.has(`T${number}`))).toEqual([]);
});

test('every test that is cited exists, under that title', () => {
  const missing = citations.filter(
    ({ file, title }) =>
      !existsSync(file) ||
      (title !== undefined && !readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ').includes(title)),
  );
  expect(missing).toEqual([]);
});

test('every file that the table of faults names is there, and every test of a fault stands in it', () => {
  const faults = readFileSync('tests/faults/README.md', 'utf8').split('\n');
  const places = faults.filter((line) => line.startsWith('| ')).map((line) => line.split(' | ')[2] ?? '');
  const named = places.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) =>
      cell.includes('(root)') ? path : `tests/${path}`,
    ),
  );
  expect(named.length).toBeGreaterThan(40);
  const endings = ['', '.ts', '.test.ts', '.e2e.ts'];
  expect(named.filter((path) => !endings.some((ending) => existsSync(path + ending)))).toEqual([]);
  const tests = filesIn('tests/faults').filter((file) => file.endsWith('.test.ts'));
  expect(tests.length).toBeGreaterThan(30);
  expect(tests.filter((file) => !named.includes(file.replace('.test.ts', '')))).toEqual([]);
});
