import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { specTexts } from '../spec-texts.ts';

const open = new Set([3, 4, 5, 6, 7, 8, 9, 10]);

test('every text of the specification names the test that shows it, or an issue that is still open', () => {
  for (const row of specTexts) {
    if ('issue' in row) expect(open, `${row.section}: ${row.text}`).toContain(row.issue);
    else expect(existsSync(row.shownBy), `${row.section}: ${row.text}: no ${row.shownBy}`).toBe(true);
  }
});

test('the named test holds the text to the letter', () => {
  const missing = specTexts.flatMap((row) =>
    'shownBy' in row && existsSync(row.shownBy) && !holds(readFileSync(row.shownBy, 'utf8'), row.text)
      ? [`${row.section}: "${row.text}" is not in ${row.shownBy}`]
      : [],
  );
  expect(missing).toEqual([]);
});

test('no text is listed twice in one section', () => {
  const keys = specTexts.map((row) => `${row.section}|${row.text}`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

/** Apostrophes may be escaped in a source file. */
function holds(source: string, text: string): boolean {
  return source.includes(text) || source.includes(text.replaceAll("'", "\\'"));
}
