import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hiddenContact as hidden, suburbOf, withoutContact } from './contact-in-text.ts';
import { webAddressesIn } from './web-address.ts';

test.each([
  ['Ring 0491 570 156 after 5', `Ring ${hidden} after 5`],
  ['0491570156', hidden],
  ['ph0491570156', `ph${hidden}`],
  ['0491-570-156 or 0491.570.157', `${hidden} or ${hidden}`],
  ['(0491) 570 156', `(${hidden}`],
  ['0 4 9 1 5 7 0 1 5 6', hidden],
  ['0491/570/156, 0491,570,156', `${hidden}, ${hidden}`],
  ['0491\n570\n156', hidden],
  ['+61 (491) 570-156.', `${hidden}.`],
  ['+61 (0)491 570 156 2 bedrooms', `${hidden} 2 bedrooms`],
  ['0061 491 570 156', hidden],
  ['61 491 570 156', hidden],
  ['491 570 156', hidden],
  ['021 1234 5678 or 021 123 456', `${hidden} or ${hidden}`],
  ['+64 21 123 4567', hidden],
  ['09 379 1234', hidden],
  ['+44 7700 900123', hidden],
  ['1300 654 321', hidden],
  ['Home 9123 4567, shop 93124567', `Home ${hidden}, shop ${hidden}`],
  ['０４９１　５７０　１５６', hidden],
  ['٠٤٩١ ٥٧٠ ١٥٦', hidden],
  ['0️⃣4️⃣9️⃣1️⃣570156', hidden],
  ['0491\u200b570\u200b156', hidden],
  ['0491, 570 156', hidden],
  ['0491: 570 156', hidden],
  ['0491; 570; 156', hidden],
  ['0491·570·156', hidden],
  ['Ring 03: 9123 4567', `Ring ${hidden}`],
  ['9876 5432 w', `${hidden} w`],
  ['98765432 W', `${hidden} W`],
  ['412 345 678 m', `${hidden} m`],
  ['call 98765432 m-f', `call ${hidden} m-f`],
  ['9230 4560', hidden],
  ['ring 9500 2010', `ring ${hidden}`],
  ['Ph: 9200 9300', `Ph: ${hidden}`],
  ['call 2450-2456', `call ${hidden}`],
  ['9123-4567', hidden],
  ['0491 – 570 – 156', hidden],
  ['Tap leaks, aroha.t@example.com', `Tap leaks, ${hidden}`],
  ['<aroha@example.com> or 03 9123 4567', `<${hidden}> or ${hidden}`],
  ['aroha@3m.com', hidden],
  ['aroha＠example．com', hidden],
  ['aroha @ example.com', hidden],
  ['aroha (at) example (dot) com', hidden],
  ['aroha at gmail dot com, thanks', `${hidden}, thanks`],
  ['aroha at gmail', hidden],
  ['Insta @aroha.builds', `Insta ${hidden}`],
  ['see https://example.com/a?b=1 now', `see ${hidden} now`],
  ['www.aroha.example', hidden],
  ['aroha-t.com.au/me', hidden],
  ['See...aroha.co.nz.', `See...${hidden}.`],
  ['t.me/aroha', hidden],
  ['aroha.shop/me or www.aroha.online', `${hidden} or ${hidden}`],
  ['wa.me/61491570156', hidden],
  ['evil。com', hidden],
  ['１.２.３.４/pay', hidden],
])('%j hides how the customer is reached', (text, shown) => {
  expect(withoutContact(text)).toBe(shown);
});

test.each([
  '12 m of pipe, 15 mm',
  '2 x 450mm, 6 downlights@450mm',
  '450 600 900',
  '02:00, 10000mm',
  '2450-2456 Gold Coast Hwy, Mermaid Beach',
  'Unit 3/2455-2457 Gold Coast Hwy',
  '2450 - 2456 Gold Coast Hwy',
  'Budget 3500-4999',
  '2400 1200 and 1800 450 600',
  'Between 9:30 and 11',
  '08.30-09.30 or 1000-1130',
  'Tue 1 Dec 2026',
  '2026-12-01 09:30',
  '01/12/2026 9-11am or 02/12/2026 9-11am',
  '02.12.26 - 04.12.26',
  '20261201 and 01122026',
  '$1,200 to $1,500.50',
  '$2000 3000',
  'Budget 4500-5500 dollars',
  'Brunswick East VIC 3057, 3058, 3070',
  'Rheem 135265, Rinnai B26N50A, Bosch SMS66MI01A',
  'model 41234567, serial no. 412345678',
  'NMI 6102345678',
  'built 1998-2004',
  '2 bedrooms @ ground floor',
  'Look at bunnings',
  'Behind the shop.Shop opens at 9',
  'Quote please.Site is steep, lights off.Store room, it works.Online now',
  'Leaks.Me too. Done.It is wet, e.g.the sink and/or tap',
  'a3f0412b-3456-4123-8456-0412345678ab',
  '22/140 Lygon St, Brunswick East VIC 3057',
  '½ m² of ﬁne tiles',
  '',
])('%j stays as it is', (text) => {
  expect(withoutContact(text)).toBe(text);
});

const zeros = ['0', '０', '٠', '०', '𝟎', '𝟘'];
const separator = fc.constantFrom(
  '',
  '',
  ' ',
  '.',
  '-',
  '–',
  '\u00a0',
  '\u2011',
  ') ',
  ' (',
  '/',
  '\u200d',
  ' - ',
);
const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 });
const prefix = fc.constantFrom('04', '+614', '+61 4', '00614', '03', '07');

/** Digits between two equal signs read as a day: `0400 1.2.2034` stays. */
const holdsDay = /[./\p{Pd}]\p{Nd}{1,2}[./\p{Pd}]\p{Nd}{2}/u;

test('a number hides in whatever digits and with whatever people put between them', () => {
  fc.assert(
    fc.property(
      ...([prefix, digits, fc.array(separator, { minLength: 8, maxLength: 8 })] as const),
      ...([fc.constantFrom(...zeros), fc.constantFrom('', 'Ring ', 'me:', 'Tap leaks\n')] as const),
      (lead, number, between, zero, before) => {
        const written = number
          .map((digit, index) => between[index] + String.fromCodePoint((zero.codePointAt(0) ?? 0) + digit))
          .join('');
        fc.pre(!holdsDay.test((lead + written).replaceAll('\u200d', '')));
        expect(withoutContact(`${before}${lead}${written} please`)).toBe(`${before}${hidden} please`);
      },
    ),
  );
});

test.each(['0412 (3.4.5.6/78', '040 (0.0.0.0/0\u20110-0', '+61 4 1.2.3.4/56-78'])(
  'a number in whose middle an address of four bytes could be read hides whole: %s',
  (number) => expect(withoutContact(`Ring ${number} please`)).toBe(`Ring ${hidden} please`),
);

test('amounts, lengths, days and postcodes stay in every combination', () => {
  const amount = fc.integer({ min: 1, max: 99_999 });
  const two = (least: number, most: number) =>
    fc.integer({ min: least, max: most }).map((number) => String(number).padStart(2, '0'));
  const day = fc
    .tuple(two(1, 28), two(1, 12), fc.integer({ min: 2020, max: 2039 }))
    .map(([date, month, year]) => `${date}/${month}/${year}`);
  const part = fc.oneof(
    amount.map((number) => `$${number.toLocaleString('en-AU')}`),
    amount.map((number) => `${number}mm`),
    fc.tuple(amount, amount).map(([one, other]) => `${one} x ${other} cm`),
    fc.integer({ min: 800, max: 9999 }).map((code) => `VIC ${String(code).padStart(4, '0')}`),
    ...[day, fc.tuple(two(0, 23), two(0, 59)).map((time) => time.join(':'))],
  );
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(', ', ' and ', '; '),
      (parts, and) => {
        const text = parts.join(and);
        expect(withoutContact(text)).toBe(text);
      },
    ),
  );
});

test('what is around it stays sign for sign, and a second look finds nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      // A sign that counts as a plus or a digit, such as ⁺, is part of the number.
      const isPart = (sign: string) => /[\p{N}@+]/u.test(sign.normalize('NFKC'));
      const around = [...text].filter((sign) => !isPart(sign)).join('');
      const shown = withoutContact(`${around} 0491 570 156 ${around}`);
      expect(shown).toBe(`${withoutContact(around)} ${hidden} ${withoutContact(around)}`);
      expect(withoutContact(shown)).toBe(shown);
    }),
  );
});

test('a plus in another form is part of its number', () => {
  for (const plus of ['+', '⁺', '₊', '＋'])
    expect(withoutContact(`Ring ${plus} 0491 570 156`)).toBe(`Ring ${hidden}`);
});

test('a long text of digits and gaps is read in time', () => {
  const started = process.cpuUsage();
  for (const long of ['1   ', 'a@', 'a', 'a.', '0 4', 'at ', '4 5', '2-'])
    withoutContact(long.repeat(100_000 / long.length));
  expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
});

test.each([
  ['22/140 Lygon St, Brunswick East VIC 3057', 'Brunswick East VIC'],
  ['14 Blyth St, Brunswick VIC 3056', 'Brunswick VIC'],
  ['15 Jervois Rd, Ponsonby, Auckland 1011', 'Ponsonby, Auckland'],
  ['3 Franklin Rd, Freemans Bay, Auckland', 'Freemans Bay, Auckland'],
  ['12 Smith Street, Fitzroy', 'Fitzroy'],
  ['Unit 3, 88 Nicholson Street, Fitzroy North, VIC, 3068, Australia', 'Fitzroy North VIC'],
  ['7 Acland St, St Kilda VIC 3182', 'St Kilda VIC'],
  ['1 Tāmaki Drive, Ōrākei, Auckland 1071, New Zealand', 'Ōrākei, Auckland'],
  ['12 smith st fitzroy', 'fitzroy'],
  ['12 Smith St St Kilda VIC 3182', 'St Kilda VIC'],
])('%s is in %s', (address, suburb) => {
  expect(suburbOf(address)).toBe(suburb);
});

test.each([
  ['', 'nothing'],
  ['Fitzroy', 'a single word, which could be a street or a house'],
  ['12 Smith Street', 'a street alone'],
  ['12 Smith St, 0491 570 156', 'a phone number'],
  ['Level 2, 5 Smith Street', 'a street behind a comma'],
  ['12 Smith St, ring aroha@example.com', 'an email'],
  ['12 Smith St, VIC 3065', 'a state alone'],
  [`12 Smith St, ${'Long '.repeat(20)}`, 'a story'],
])('%s gives nothing away: %s', (address) => {
  expect(suburbOf(address)).toBeNull();
});

test.each([
  ['12 Main St, bobsplumb.com.au', null],
  ['12 Main St, bob at gmail dot com', null],
  ['12 Main St, bob@example.com, Fitzroy VIC', 'Fitzroy VIC'],
  ['12 Main St Fitzroy evil.com', null],
  ['12 Main St Fitzroy www.evil.example', null],
  ['12 Main St, bob at gmail, Fitzroy', 'Fitzroy'],
])('no contact comes with the suburb of %j', (address, suburb) => {
  expect(suburbOf(address)).toBe(suburb);
});

test('no web address is overlooked, however it is made up', () => {
  const parts = [
    'http',
    'https',
    '://',
    'www.',
    'WWW.',
    '.',
    '/',
    'plumb',
    'ſ',
    'K',
    'é',
    '1',
    '-',
    ' ',
    'com',
    'au',
    'me',
    'it',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (made) => {
      const text = made.join('').normalize('NFKC');
      expect(withoutContact(text).includes(hidden)).toBe(webAddressesIn(text).length > 0);
    }),
    { numRuns: 2_000 },
  );
});
