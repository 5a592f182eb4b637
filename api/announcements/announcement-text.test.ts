import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { blocksOf, readAnnouncementText } from './announcement-text.ts';

const origin = 'https://jobs.example.com';
const read = (...lines: string[]) => readAnnouncementText(lines.join('\n'), origin);

test('a file is a subject and paragraphs: its lines are joined, items of a list stay lines', () => {
  const { subject, body } = read(
    ...['', '# What is new in November', '', 'Two things', 'changed:', '- invoices', '- the *schedule*', ''],
    ...['', 'That is all.', ''],
  );
  expect(subject).toBe('What is new in November');
  expect(blocksOf(body, origin)).toEqual({
    paragraphs: ['Two things changed:\n• invoices\n• the *schedule*', 'That is all.'],
  });
});

test('what Windows and editors leave in a file changes nothing', () => {
  const { subject, body } = readAnnouncementText('\uFEFF# Kia ora  \r\n\r\nTwo\tthings\r\n', origin);
  expect([subject, blocksOf(body, origin).paragraphs]).toEqual(['Kia ora', ['Two things']]);
});

test.each(['/profile?panel=notifications', `${origin}/profile?panel=notifications`])(
  'a paragraph that is a link to a page of ours is the button: %s',
  (address) => {
    const { body } = read('# News', '', 'Have a look.', '', `[Open the settings](${address})`);
    expect(blocksOf(body, origin)).toEqual({
      paragraphs: ['Have a look.'],
      action: { label: 'Open the settings', url: `${origin}/profile?panel=notifications` },
    });
  },
);

describe('is refused, with its line:', () => {
  test.each([
    ['no subject', ['Hello'], 'Line 1'],
    ['nothing at all', [], 'Line 1'],
    ['a subject of two levels', ['## News', '', 'x'], 'Line 1'],
    ['a subject that would end its header', ['# News\u2028Bcc: eve@example.com', '', 'x'], 'Line 1'],
    ['a control character', ['# News', '', 'x\u0007'], 'Line 3'],
    ['a long subject', [`# ${'x'.repeat(121)}`, '', 'x'], 'Line 1'],
    ['a subject alone', ['# News', '', ''], 'nothing below'],
    ['too much', ['# News', '', 'x'.repeat(20_001)], 'longer than'],
    ['bold', ['# News', '', 'This is **new**'], 'Line 3'],
    ['a heading', ['# News', '', 'x', '', '## More'], 'Line 5'],
    ['HTML', ['# News', '', '<b>new</b>'], 'Line 3'],
    ['a picture', ['# News', '', '![x](/x.png)'], 'Line 3'],
    ['a link in a sentence', ['# News', '', 'See [this](/x) now'], 'Line 3'],
    ['a link below a sentence', ['# News', '', 'See', '[this](/x)'], 'Line 4'],
    ['a link elsewhere', ['# News', '', 'x', '', '[Go](https://elsewhere.example/)'], 'Line 5'],
    ['a link that only looks like ours', ['# News', '', 'x', '', `[Go](${origin}@evil.example/)`], 'Line 5'],
    ['a script', ['# News', '', 'x', '', '[Go](javascript:alert)'], 'Line 5'],
    ['two links', ['# News', '', 'x', '', '[A](/a)', '', '[B](/b)'], 'Line 7'],
    ['a link and no words', ['# News', '', '[A](/a)'], 'no words'],
  ] as const)('%s', (_what, lines, says) => {
    expect(() => read(...lines)).toThrow(InvalidInputError);
    expect(() => read(...lines)).toThrow(says);
  });
});
