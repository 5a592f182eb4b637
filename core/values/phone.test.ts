import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPhone, groupPhone, isStoredPhone } from './phone.ts';

test.each([
  ['+61412345678', true],
  ['+6421123456', true],
  ['0412345678', false],
  ['+61293744000', false],
  ['+61412345678\n', false],
])('%j is stored so: %j', (text, isStored) => {
  expect(isStoredPhone(text)).toBe(isStored);
});

test("Australian numbers show as '#### ### ###', New Zealand's as '### ### #####'", () => {
  expect(formatPhone('+61412345678')).toBe('0412 345 678');
  expect(formatPhone('+642112345678')).toBe('021 123 45678');
  expect(formatPhone('+6421123456')).toBe('021 123 456');
  expect(formatPhone('not a number')).toBe('not a number');
  expect(formatPhone('+61412345678', 'au')).toBe('0412 345 678');
});

test('a reader in the other country sees the prefix that it is dialled with', () => {
  expect(formatPhone('+61412345678', 'nz')).toBe('+61 412 345 678');
  expect(formatPhone('+642112345678', 'au')).toBe('+64 21 123 45678');
});

describe('groupPhone', () => {
  test.each([
    ['0', '0'],
    ['0412', '0412'],
    ['04123', '0412 3'],
    ['0412345678', '0412 345 678'],
    ['412345678', '412 345 678'],
    ['02112345678', '021 123 45678'],
    ['+61412345678', '+61 412 345 678'],
    ['+642112345678', '+64 21 123 45678'],
    ['(0412)345-678', '0412 345 678'],
    ['0412 345 6789', '0412 345 6789'],
    ['call me', 'call me'],
    ['(02) 9374 4000', '(02) 9374 4000'],
    ['02 9374', '02 9374'],
    ['0293744000', '029 374 4000'],
  ])('%s becomes %s', (typed, expected) => {
    expect(groupPhone(typed).text).toBe(expected);
  });

  test('the caret stays behind the digit that was typed', () => {
    expect(groupPhone('04123', 5)).toEqual({ text: '0412 3', caret: 6 });
    expect(groupPhone('04912 345 678', 3)).toEqual({ text: '0491 234 5678', caret: 3 });
    expect(groupPhone('0412 345', 0).caret).toBe(0);
  });

  test('no digit is lost, grouping twice changes nothing, and an area code stays as typed', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789 ()-'), maxLength: 20 });
    fc.assert(
      fc.property(typed, fc.nat(20), (text, at) => {
        const caret = Math.min(at, text.length);
        const grouped = groupPhone(text, caret);
        if (/^[ (]*02[ )-]/.test(text)) {
          expect(grouped).toEqual({ text, caret });
          return;
        }
        expect(grouped.text.replaceAll(' ', '')).toBe(text.replace(/\D/g, ''));
        expect(groupPhone(grouped.text, grouped.caret)).toEqual(grouped);
        const before = grouped.text.slice(0, grouped.caret).replaceAll(' ', '');
        expect(before).toBe(text.slice(0, caret).replace(/\D/g, ''));
      }),
    );
  });
});
