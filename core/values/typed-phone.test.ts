import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPhone, groupPhone } from './phone.ts';
import type { Region } from './region.ts';
import { isPhoneSomewhere, readPhone } from './typed-phone.ts';

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

type Case = readonly [country: Region | null, typed: string, stored: string | null];

const pasted: readonly Case[] = [
  ['au', '(02) 9374 4000', null],
  ['au', '02 6277 7111', null],
  ['au', '0293744000', null],
  ['au', '(07) 3403 8888', null],
  ['nz', '(02) 9374 4000', null],
  ['au', '021 123 4567', null],
  ['au', '+64 21 123 4567', '+64211234567'],
  ['nz', '021 123 4567', '+64211234567'],
  ['nz', '+61 412 345 678', '+61412345678'],
  ['nz', '0412 345 678', null],
  ['au', '0412 345 678', '+61412345678'],
  ['au', '\u202a0412 345 678\u202c', '+61412345678'],
  ['au', '\u2068+61 412 345 678\u2069', '+61412345678'],
  ['au', '0412\u2011345\u2011678', '+61412345678'],
  ['au', '0412\u2013345\u2013678', '+61412345678'],
  ['au', '+61 (0)412 345 678', '+61412345678'],
  ['nz', '+64 (0)21 123 4567', '+64211234567'],
  ['au', '61412345678', '+61412345678'],
  ['au', '0061 412 345 678', '+61412345678'],
  ['au', '0412.345.678', '+61412345678'],
  ['au', '412345678', '+61412345678'],
  ['nz', '211234567', '+64211234567'],
  ['au', 'tel:0412345678', '+61412345678'],
  ['au', '0412/345/678', '+61412345678'],
  ['au', '0412 345 67', null],
  ['au', '13 11 14', null],
  ['au', '1300 123 456', null],
  ['au', '+44 7911 123456', null],
];

const otherWays: readonly Case[] = [
  ...(['au', 'nz'] as const).flatMap((country): Case[] => [
    [country, '+61 (04) 12 345 678', '+61412345678'],
    [country, '+61 0412 345 678', '+61412345678'],
    [country, '0011 64 21 123 4567', '+64211234567'],
    [country, '(+64) 21-123-4567', '+64211234567'],
    [country, '64 (0)21 123 4567', '+64211234567'],
    [country, 'tel:+61%20412%20345%20678', '+61412345678'],
    [country, 'tel://+64-21-123-4567', '+64211234567'],
    [country, '\uff0b61\u3000\uff14\uff11\uff12 345 678', '+61412345678'],
    [country, '+61/412/345/678', '+61412345678'],
    [country, '+61 2 9374 4000', null],
    [country, '+44 21 123 4567', null],
    [country, '0044 7911 123456', null],
    [country, '++61 412 345 678', null],
    [country, '', null],
    [country, '+', null],
    [country, '000', null],
    [country, '0512345678', null],
    [country, '+1 800 123 456', null],
    [country, '+882 1234567', null],
    [country, `0412345678${' '.repeat(40)}`, null],
  ]),
  ['au', '\uff10\uff14\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18', '+61412345678'],
  ['au', '\u0660\u0664\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668', '+61412345678'],
  ['au', '\ufeff0412\u00ad345\u200b678\ufe0f', '+61412345678'],
  ['au', '0412\u00a0345\u202f678', '+61412345678'],
  ['au', '0412\u2212345\u2014678', '+61412345678'],
  ['au', '(0412) [345] 678', '+61412345678'],
  ['au', "'0412345678", '+61412345678'],
  ['au', '0412·345•678', '+61412345678'],
  ['au', '0412\u2215345\u2044678', '+61412345678'],
  ['au', 'Mobile: 0412 345 678', '+61412345678'],
  ['au', 'M 0412 345 678,', '+61412345678'],
  ['au', 'TEL:0412345678', '+61412345678'],
  ['au', '0412 345 67\u00b2', null],
  ['au', '0412 345 67\u00bd', null],
  ['au', '0412 345 678 ext 2', null],
  ['au', '0412 345 678 / 0413 222 333', null],
  ['au', '0412 345 6789', null],
  ['au', '04123456 7a', null],
  ['au', '029 374 4000', null],
  ['nz', '021 123 456', '+6421123456'],
  ['nz', '021 123 45678', '+642112345678'],
  ['nz', '029 123 456 789', '+6429123456789'],
  ['nz', '(021) 123-4567', '+64211234567'],
  ['nz', '021/123 4567', '+64211234567'],
  ['nz', '027 123 4567', '+64271234567'],
  ['nz', '0293744000', '+64293744000'],
  ['nz', '02 6277 7111', null],
  ['nz', '02-9374-4000', null],
  ['nz', '2 9374 4000', null],
  ['nz', '(02)93744000', null],
  ['nz', '021 123 45', null],
  ['nz', '021 123 4567890', null],
  ['nz', '021 123 4567/8', null],
  ['nz', '021 123 456/457', null],
  ['nz', '021 123 456; 7', null],
  ['nz', '412345678', null],
  ['nz', '04 123 4567', null],
  // Where no country is asked for, only what one of them could mean.
  [null, '0412 345 678', '+61412345678'],
  [null, '027 123 4567', '+64271234567'],
  [null, '0211234567', '+64211234567'],
  [null, '+64 29 374 4000', '+64293744000'],
  [null, '0293744000', null],
  [null, '(02) 9374 4000', null],
];

describe('readPhone', () => {
  test.each([...pasted, ...otherWays])('on a form of %s, %j is %s', (country, typed, stored) => {
    expect(readPhone(typed, country)).toBe(stored);
  });

  test('a number is one of somewhere when one of the countries reads it', () => {
    expect(isPhoneSomewhere('0412 345 678')).toBe(true);
    expect(isPhoneSomewhere('0293744000')).toBe(true);
    expect(isPhoneSomewhere('(02) 9374 4000')).toBe(false);
  });

  test('every way of writing one number reads as that number, in both countries', () => {
    fc.assert(
      fc.property(e164, fc.constantFrom<Region>('au', 'nz'), (phone, country) => {
        expect(readPhone(phone, country)).toBe(phone);
        expect(readPhone(phone, null)).toBe(phone);
        expect(readPhone(formatPhone(phone, country), country)).toBe(phone);
        expect(readPhone(groupPhone(phone).text, country)).toBe(phone);
      }),
    );
  });

  test('without a prefix only numbers of the country are read, and what is read is E.164', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456 -()/.'), maxLength: 16 }), (text) => {
        fc.pre(!/^\D*(?:6\D*[14]|0\D*0)/.test(text));
        expect(readPhone(text, 'au') ?? '+61400000000').toMatch(/^\+614\d{8}$/);
        expect(readPhone(text, 'nz') ?? '+6420000000').toMatch(/^\+642\d{7,10}$/);
      }),
    );
  });
});
