import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countCharacters, isWellFormed, severalLines, singleLine, truncate } from './text.ts';

describe('isWellFormed', () => {
  test.each(['', 'Aroha Tāwhiri', '👷🏽‍♀️', 'two\nlines\t', '\u202Ebidi', '\uFFFF'])(
    '%j can be stored',
    (text) => {
      expect(isWellFormed(text)).toBe(true);
    },
  );

  test.each(['\0', 'a\0b', '\uD800', 'a\uDC00', '\uDC00\uD800'])('%j cannot', (text) => {
    expect(isWellFormed(text)).toBe(false);
  });

  test('what is well-formed comes back from bytes as it went', () => {
    const utf8 = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !isWellFormed(text) || utf8(text) === text),
    );
  });
});

describe('truncate', () => {
  test('30 characters stay whole, more are cut with an ellipsis', () => {
    expect(truncate('a'.repeat(30))).toBe('a'.repeat(30));
    expect(truncate('a'.repeat(31))).toBe(`${'a'.repeat(30)}…`);
  });

  test('no space is left before the ellipsis', () => {
    expect(truncate('Leaking shower mixer, hot tap will not close', 21)).toBe('Leaking shower mixer,…');
    expect(truncate('Leaking shower mixer, hot tap will not close', 22)).toBe('Leaking shower mixer,…');
  });

  test('letters and signs that never join are counted as a segmenter counts them', () => {
    const unit = fc.constantFrom(...'aZ 09!~āĀéß“”’–… \u00ad\u00a0\u02ff');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 31 }), (text) => {
        const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
        expect(truncate(text)).toBe(`${characters.slice(0, 30).join('').trimEnd()}…`);
      }),
    );
  });

  test('a character of many code units is never torn', () => {
    expect(truncate('👷🏽‍♀️'.repeat(30))).toBe('👷🏽‍♀️'.repeat(30));
    expect(truncate('👷🏽‍♀️'.repeat(31))).toBe(`${'👷🏽‍♀️'.repeat(30)}…`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 40 }), (text) => truncate(text).isWellFormed()),
    );
  });
});

test('singleLine makes one line of any text and changes it once only', () => {
  expect(singleLine('  22/140 Lygon St,\r\n\tBrunswick ')).toBe('22/140 Lygon St, Brunswick');
  expect(singleLine('Dave\r\nBcc: evil@example.com')).toBe('Dave Bcc: evil@example.com');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = singleLine(text);
      expect(line).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u);
      expect(singleLine(line)).toBe(line);
    }),
  );
});

test.each([
  ['\u202Egpj.tuo\u202C Tāne', 'gpj.tuo Tāne'],
  ['\u2067Dave\u2069\u200F', 'Dave'],
  ['pay\u00adpal\u2060 me\u200B', 'paypal me'],
  ['\u3164\u2800\u200D \ufeff', ''],
  ['Tap\u{e0041}\u{e0042}', 'Tap'],
  [
    '👩‍🔧 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} می\u200cخواهم',
    '👩‍🔧 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} می\u200cخواهم',
  ],
])('singleLine takes out what is invisible and turns the rest: %j', (typed, line) => {
  expect(singleLine(typed)).toBe(line);
});

test.each([
  ['\u0e01'.padEnd(90, '\u0e33'), '\u0e01\u0e33\u0e33'],
  ['\u0915\u094d'.repeat(45), '\u0915\u094d'.repeat(6)],
  ['\u1100'.repeat(90), '\u1100'.repeat(12)],
  ['\u0600'.repeat(90), '\u0600'.repeat(12)],
  ['Zoe\u0301\u0301\u0301\u0301', 'Zoe\u0301\u0301'],
])('singleLine cuts what no line could hold: %j', (typed, line) => {
  expect(singleLine(typed)).toBe(line);
  expect(severalLines(`${typed}\n${typed}`)).toBe(`${line}\n${line}`);
});

test.each([
  '\u{1f468}🏽‍👩🏽‍👧🏽‍👦🏽 👩🏽‍❤️‍💋‍👨🏽 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'น้ำรั่วที่ห้องครัว กำลังรอช่าง',
  'रसोई में पानी टपक रहा है, कार्त्स्न्य',
  'བསྒྲུབས་པའི་རྒྱུ',
  'Tàmati Nguyễn Thị Bích Ngọc',
])('singleLine leaves what people write: %j', (text) => {
  expect(singleLine(text)).toBe(text);
});

test('severalLines leaves out every control character but line feed, tab and NEL, and changes a text once only', () => {
  expect(severalLines('Leak\u0007ing\u001b[31m tap\u0008\u009b\u007f\r\n\tby\rthe\u000bdoor\u0085now')).toBe(
    'Leaking[31m tap\n\tby\nthe\ndoor\u0085now',
  );
  expect(severalLines(' Ring first \u2028\n')).toBe(' Ring first \u2028\n');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      const text = severalLines(typed);
      expect(text).not.toMatch(/(?![\n\t\u0085])\p{Cc}/u);
      expect(severalLines(text)).toBe(text);
    }),
  );
});

test('a character is a code point: an emoji of two units counts once', () => {
  expect(countCharacters('Tāne 👷')).toBe(6);
  expect(['🇦🇺', '👍🏽', '👨‍👩‍👧‍👦'].map(countCharacters)).toEqual([2, 2, 7]);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })), (all) => {
      const text = all.join('');
      if (text.isWellFormed()) expect(countCharacters(text)).toBe(all.length);
    }),
  );
});
