import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { specTexts } from '../spec-texts.ts';

test('every text of the specification names the test that shows it', () => {
  for (const { section, text, shownBy } of specTexts) {
    expect(existsSync(shownBy), `${section}: ${text}: no ${shownBy}`).toBe(true);
  }
});

test('the named test holds the text to the letter', () => {
  const missing = specTexts
    .filter(({ shownBy, text }) => existsSync(shownBy) && !holds(readFileSync(shownBy, 'utf8'), text))
    .map(({ section, text, shownBy }) => `${section}: "${text}" is not in ${shownBy}`);
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
