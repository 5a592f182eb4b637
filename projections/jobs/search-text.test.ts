import { expect, test } from 'vitest';
import { foldText } from '#core/values/text.ts';
import { linePattern, searchPatterns, searchText } from './search-text.ts';

const job = {
  name: 'Hōne Rēweti',
  title: 'Leaking TAP',
  location: { address: '12 Café Lane, Ōtara NZ' },
  notes: 'Gate’s open',
  email: 'hone@example.co.nz',
  phone: '+64211234567',
  status: 'To quote',
  erasureDueAt: null,
  erasedAt: null,
} as const;

const at = '2026-11-16T21:30:00.000Z';

test('a job is found by its card and its notes, whatever the case, accents and macrons', () => {
  expect(searchText({ ...job, status: 'Pending' })).toBe(
    'hone reweti\nleaking tap\n12 cafe lane otara nz\ngates open',
  );
  expect(foldText('Māori ĀĒĪŌŪ Ngāi')).toBe('maori aeiou ngai');
});

test('a contact that is not withheld is found by email and by the phone as written abroad and at home', () => {
  expect(searchText(job)).toMatch(/\nhone@exampleconz\n64211234567\n0211234567$/);
  expect(searchText({ ...job, email: '', phone: '+61491570156' })).toMatch(/open\n61491570156\n0491570156$/);
  expect(searchText({ ...job, email: '[erased]', phone: '[erased]' })).toMatch(/\n\[erased\]$/);
  expect(searchText({ ...job, erasureDueAt: at })).not.toMatch(/hone@|64211234567/);
  expect(searchText({ ...job, erasedAt: at })).toBe('');
  for (const status of ['Pending', 'Rejected'] as const) {
    expect(searchText({ ...job, status })).not.toMatch(/hone@|64211234567/);
  }
});

test('words are found whatever white space is between them, within one text', () => {
  const noted = { ...job, status: 'Pending', notes: 'Gate  code\r\n\tis\u00a01234' } as const;
  expect(searchText(noted)).toMatch(/\ngate code is 1234$/);
  for (const typed of ['leaking  tap', '\tleaking\u00a0tap\n', 'Leaking \u3000 TAP']) {
    expect(searchPatterns(typed), typed).toEqual(['%leaking tap%']);
  }
});

test('wildcards are text, and what looks like a phone number is also sought by its digits', () => {
  expect(searchPatterns(' 50% Off_\\ ')).toEqual(['%50\\% off\\_\\\\%']);
  expect(searchPatterns('Hōne')).toEqual(['%hone%']);
  expect(searchPatterns('0491 570 156')).toEqual(['%0491 570 156%', '%0491570156%']);
  expect(searchPatterns('+61 (0)491')).toEqual(['%+61 (0)491%', '%61491%']);
  expect(searchPatterns('0491-570.156')).toEqual(['%0491 570156%', '%0491570156%']);
  expect(searchPatterns('0491')).toEqual(['%0491%']);
  expect(searchPatterns('1 - 2')).toEqual(['%1 2%']);
  expect(searchPatterns('…’.')).toEqual([]);
});

test.each([
  ['Siobhan O’Brien', "O'Brien"],
  ["Liam O'Brien", 'O’Brien'],
  ["Liam O'Brien", 'obrien'],
  ['Liam O´Brien', 'OʻBrien'],
  ['12 Smith Street, Fitzroy VIC 3065', '12 smith street fitzroy'],
  ['3/45 King’s Road, St. Kilda', 'St Kilda'],
  ['3/45 King’s Road, St. Kilda', 'kings road'],
  ['3/45 Kings Road, St Kilda', "King's Road,St. Kilda"],
  ['Smith-Jones', 'Smith Jones'],
  ['Smith Jones', 'Smith\u2011Jones'],
  ['Smith – Jones', 'smith-jones'],
  ['J.P. Smith', 'jp smith'],
  ['“Gate” is open', 'gate is open'],
  ['Ｓｍｉｔｈ', 'smith'],
  ['Smi\u00adth \u200bStreet', 'smith street'],
])('%s is found by %s', (stored, typed) => {
  const [pattern = ''] = searchPatterns(typed);
  expect(searchText({ ...job, name: stored })).toContain(pattern.slice(1, -1));
});

test('a search finds nothing across two texts', () => {
  const [pattern = ''] = searchPatterns('Rēweti Leaking');
  expect(searchText(job)).not.toContain(pattern.slice(1, -1));
});

test('an address is compared whole, however it is typed', () => {
  const text = searchText({ ...job, notes: '' });
  const wanted = linePattern('12 CAFÉ Lane Otara, NZ')?.slice(1, -1) ?? '';
  expect(text).toContain(wanted);
  expect(text).not.toContain(linePattern('2 Café Lane, Ōtara NZ')?.slice(1, -1));
  expect(linePattern(' , ')).toBeNull();
});
