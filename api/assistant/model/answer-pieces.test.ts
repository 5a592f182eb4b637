import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSentences, plainText } from './answer-pieces.ts';

function sentencesOf(...bits: string[]): string[] {
  const sentences = createSentences();
  return [...bits.flatMap((bit) => sentences.add(bit)), ...sentences.rest()];
}

test('a sentence is shown once it is whole, however it arrives', () => {
  const sentences = createSentences();
  expect(sentences.add('Two jo')).toEqual([]);
  expect(sentences.add('bs today. The fir')).toEqual(['Two jobs today.']);
  expect(sentences.add('st is at 3.30PM, for $1.50.')).toEqual([]);
  expect(sentences.rest()).toEqual(['The first is at 3.30PM, for $1.50.']);
  expect(sentencesOf('“Yes!” ', 'Right? No… 4 jobs\n\n- one\n- two')).toEqual([
    ...['“Yes!”', 'Right?', 'No…', '4 jobs', '• one', '• two'],
  ]);
});

test('what never ends is cut between words', () => {
  const parts = sentencesOf('word '.repeat(200));
  expect(parts.every((part) => part.length <= 400 && /^(word ?)+$/.test(part))).toBe(true);
  expect(parts.join(' ').split(' ')).toHaveLength(200);
  expect(sentencesOf('x'.repeat(1_000)).map(({ length }) => length)).toEqual([400, 400, 200]);
});

test.each([
  ['Here ![a cat](https://evil.example/x.png?q=secret) it is', 'Here it is'],
  ['![](https://evil.example/x.png)', ''],
  ['See [your jobs](https://evil.example/login) now', 'See your jobs now'],
  ['See [https://ute.example](javascript:alert) now', 'See (link left out) now'],
  ['Look at https://evil.example/a?b=c, or www.evil.example', 'Look at (link left out), or (link left out)'],
  ['Go to //evil.example/x or javascript:alert`1`', 'Go to (link left out) or (link left out)'],
  ['[a][1] [1]: https://evil.example', 'a [1]: (link left out)'],
  ['<img src=x onerror=alert(1)><a href="https://evil.example">Hi</a>', 'Hi'],
  ['## **Bold** and `code`', 'Bold and code'],
  ['Pay \u202eelpmaxe\u202c now\u200b', 'Pay elpmaxe now'],
  ['Job (0198c0de-0000-7000-8000-000000000000) is on', 'Job is on'],
  ['It is 5 < 6, at 3:30PM: bring 2 * 4 m of pipe', 'It is 5 < 6, at 3:30PM: bring 2 * 4 m of pipe'],
  ['Call Aroha on +61491570156 or aroha@example.com', 'Call Aroha on +61491570156 or aroha@example.com'],
])('%s is shown as %s', (said, plain) => {
  expect(plainText(said)).toBe(plain);
});

test('no address and no picture comes through, however the text is cut', () => {
  const bit = fc.constantFrom(
    'https://evil.example/x',
    '![',
    '](',
    ')',
    '[a]',
    'www.evil.example',
    '. ',
    'A b',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(bit, fc.string()), { maxLength: 20 }), (bits) => {
      expect(sentencesOf(...bits).join('\n')).not.toMatch(/[a-z]:\/\/|www\.|!\[[^\]]*\]\(/);
    }),
  );
});
