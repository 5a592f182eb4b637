import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from './source-files.ts';

/** Fewer hexadecimal digits than this come about by chance inside random ids, keys and hashes. */
const LEAST_DIGITS = 9;
const ABSENCE = /\.not\.to(?:Contain|Match)\(\s*(?:'([^']*)'|\/((?:\\.|[^/\\])+)\/[a-z]*)/g;

/** The digits of a marker as a pattern spells it, `\d{3}` counted as three; null where a letter or sign stands that no id has. */
function idDigits(marker: string): number | null {
  const plain = marker.replace(/ ?\?/g, '').replace(/\\d\{(\d+)\}/g, (_, times) => '0'.repeat(Number(times)));
  const digits = plain.replaceAll('\\d', '0').replaceAll('-', '');
  return /^[0-9a-f]+$/i.test(digits) ? digits.length : null;
}

test('what a test wants to be absent is nothing that chance can make', () => {
  const tooShort = filesIn('tests').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ABSENCE)]
      .flatMap(([, text, pattern = '']) => (text === undefined ? pattern.split('|') : [text]))
      .filter((marker) => (idDigits(marker) ?? LEAST_DIGITS) < LEAST_DIGITS)
      .map((marker) => `${file}: ${marker}`),
  );
  expect(tooShort).toEqual([]);
});

test('digits are counted as patterns spell them', () => {
  expect(['6149', '491 ?570', '491 ?57\\d ?\\d{3}', 'dave', 'cafe'].map(idDigits)).toEqual([
    4,
    6,
    9,
    null,
    4,
  ]);
});
