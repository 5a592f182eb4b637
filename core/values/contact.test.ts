import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPhone, groupPhone, isEmail, maxEmailLength, normaliseEmail, parsePhone } from './contact.ts';
import type { Region } from './region.ts';

test.each([
  'dave@acmeplumbing.example',
  'a@b.co',
  "o'brien+jobs@mail.example.com.au",
  `${'a'.repeat(64)}@example.com`,
  'x_y-z@xn--bcher-kva.example',
])('%s is an address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  ...['', '@', 'dave', 'dave@', '@acme.example', 'dave@acme', 'dave@@acme.example', 'dave@acme.e'],
  ...[
    'da ve@acme.example',
    ' dave@acme.example',
    'dave@acme.example ',
    'dave@acme..example',
    '.d@acme.example',
  ],
  ...['d..d@acme.example', 'd.@acme.example', 'dave@-acme.example', 'dave@acme-.example', 'dave@127.0.0.1'],
  ...['Dave <dave@acme.example>', '"dave"@acme.example', 'a@b.co,c@d.co', 'dave@acme.example\r\nBcc: x@y.zz'],
  ...['dave@аcme.example', 'dave\0@acme.example', `${'a'.repeat(65)}@example.com`],
])('%j is none', (text) => {
  expect(isEmail(text)).toBe(false);
});

test('an address holds at most 254 characters', () => {
  const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}`;
  const address = (length: number) => `${'x'.repeat(length - domain.length - 5)}@${domain}.com`;
  expect(isEmail(address(maxEmailLength))).toBe(true);
  expect(isEmail(address(maxEmailLength + 1))).toBe(false);
});

test('an address is compared without the spaces around it and without capitals', () => {
  expect(normaliseEmail(' Dave@Acme.Example\n')).toBe('dave@acme.example');
});

test('ordinary addresses pass in any spelling', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (text) => isEmail(normaliseEmail(text)) || text.length > maxEmailLength),
  );
});

test('a hostile text is refused by its length alone', () => {
  for (const text of [
    'a.'.repeat(50_000),
    `a@${'a-'.repeat(50_000)}`,
    '@'.repeat(100_000),
    'a@'.repeat(50_000),
  ]) {
    expect(isEmail(text)).toBe(false);
  }
});

const digits = (min: number, max = min) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((parts) => parts.join(''));
const national: Record<Region, fc.Arbitrary<string>> = {
  au: digits(8).map((rest) => `4${rest}`),
  nz: digits(7, 10).map((rest) => `2${rest}`),
};
const e164 = fc.oneof(
  national.au.map((n) => `+61${n}`),
  national.nz.map((n) => `+64${n}`),
);

describe('parsePhone', () => {
  test.each([
    ['0412 345 678', '+61412345678'],
    ['412345678', '+61412345678'],
    ['+61 412-345-678', '+61412345678'],
    ['(0412) 345 678', '+61412345678'],
    ['021 123 456', '+6421123456'],
    ['021 123 45678', '+642112345678'],
    ['+64 29 123 456 789', '+6429123456789'],
  ])('%s is %s', (text, expected) => {
    expect(parsePhone(text)).toBe(expected);
  });

  test.each([
    ...[
      '',
      '+',
      '0412 345 67',
      '0412 345 6789',
      '04123456 7a',
      '0512345678',
      '+61 0412 345 678',
      '61412345678',
    ],
    ...[
      '21 123 456',
      '021 123 45',
      '021 123 4567890',
      '+6402112345',
      '+1 800 123 456',
      '1300 123 456',
      '000',
    ],
    ...['０４１２３４５６７８', '0412.345.678', '+882 1234567', `0412345678${' '.repeat(40)}`],
  ])('%j is no mobile number of ours', (text) => {
    expect(parsePhone(text)).toBeNull();
  });

  test('a region takes its own numbers only', () => {
    expect(parsePhone('0412 345 678', 'nz')).toBeNull();
    expect(parsePhone('021 123 456', 'au')).toBeNull();
  });

  test('every way of writing one number reads as that number', () => {
    fc.assert(
      fc.property(e164, (phone) => {
        expect(parsePhone(phone)).toBe(phone);
        expect(parsePhone(formatPhone(phone))).toBe(phone);
        expect(parsePhone(groupPhone(phone).text)).toBe(phone);
      }),
    );
  });

  test('whatever is read is E.164 and of the region that was asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'+0123456 -()'), maxLength: 16 }), (text) => {
        expect(parsePhone(text, 'au') ?? '+61400000000').toMatch(/^\+614\d{8}$/);
        expect(parsePhone(text, 'nz') ?? '+6420000000').toMatch(/^\+642\d{7,10}$/);
      }),
    );
  });
});

test("Australian numbers show as '#### ### ###', New Zealand's as '### ### #####'", () => {
  expect(formatPhone('+61412345678')).toBe('0412 345 678');
  expect(formatPhone('+642112345678')).toBe('021 123 45678');
  expect(formatPhone('+6421123456')).toBe('021 123 456');
  expect(formatPhone('not a number')).toBe('not a number');
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
  ])('%s becomes %s', (typed, expected) => {
    expect(groupPhone(typed).text).toBe(expected);
  });

  test('the caret stays behind the digit that was typed', () => {
    expect(groupPhone('04123', 5)).toEqual({ text: '0412 3', caret: 6 });
    expect(groupPhone('04912 345 678', 3)).toEqual({ text: '0491 234 5678', caret: 3 });
    expect(groupPhone('0412 345', 0).caret).toBe(0);
  });

  test('no digit is lost, and grouping twice changes nothing', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789 ()-'), maxLength: 20 });
    fc.assert(
      fc.property(typed, fc.nat(20), (text, at) => {
        const caret = Math.min(at, text.length);
        const grouped = groupPhone(text, caret);
        expect(grouped.text.replaceAll(' ', '')).toBe(text.replace(/\D/g, ''));
        expect(groupPhone(grouped.text, grouped.caret)).toEqual(grouped);
        const before = grouped.text.slice(0, grouped.caret).replaceAll(' ', '');
        expect(before).toBe(text.slice(0, caret).replace(/\D/g, ''));
      }),
    );
  });
});
