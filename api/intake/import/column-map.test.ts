import { expect, test } from 'vitest';
import { mapRows, readColumnMap } from './column-map.ts';
import { readCsv } from './csv.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const columns = { name: 'Name', email: 'Email', phone: ['Mobile', 'Phone'], address: ['Street', 'Suburb'] };
const map = { key: 'No', columns };

test.each([
  ['no JSON', '{', 'The map is not JSON.'],
  ['no key', JSON.stringify({ columns }), 'The map: key must be'],
  ['a field of its own', JSON.stringify({ ...map, colour: 'red' }), 'The map: colour must be removed'],
  [
    'an unknown status',
    JSON.stringify({ ...map, statuses: { Done: 'Over' } }),
    'The map: statuses.Done must be',
  ],
  [
    'days in no order',
    JSON.stringify({ ...map, columns: { ...columns, createdAt: 'Made' } }),
    'The map: dates must say in which order',
  ],
  [
    'statuses without names',
    JSON.stringify({ ...map, columns: { ...columns, status: 'State' } }),
    'The map: statuses must name each',
  ],
])('a map with %s is refused in one line', (_, text, line) => {
  expect(() => readColumnMap(text)).toThrow(line);
  expect(() => readColumnMap(text)).toThrow(/^[^\n]+$/);
});

const heading = 'No,Name,Email,Mobile,Phone,Street,Suburb,Made,State';
const now = new Date('2026-11-27T00:00:00.000Z');
const rowsOf = (rows: readonly string[], more: object = {}, head = heading, region: 'au' | 'nz' = 'au') => {
  const text = JSON.stringify({ ...map, ...more });
  return mapRows(readColumnMap(text), readCsv(bytes([head, ...rows].join('\n')), null), {
    timeZone: 'Australia/Melbourne',
    region,
    now,
  });
};

test('a heading that is not there, or twice, is refused', () => {
  expect(() => rowsOf([], {}, 'No,Name')).toThrow('The file has no column "Email" in its first line.');
  expect(() => rowsOf([], {}, `${heading},Email`)).toThrow('The file has two columns "Email".');
  expect(() =>
    mapRows(readColumnMap(JSON.stringify(map)), [], { timeZone: 'UTC', region: 'au', now }),
  ).toThrow('The file is empty.');
});

test('a day that cannot be read, and one that no job is of, are named by their column alone', () => {
  const more = { dates: 'day-month-year', columns: { ...columns, createdAt: 'Made' } };
  const problems = ['31/02/2026', '1/1/1989', '1/1/2032'].map((day) => {
    return rowsOf([`1,Sam,sam@example.com,0491570157,,1 High St,Kew,${day},`], more)[0]?.problems;
  });
  expect(problems).toEqual([
    ['Made: is no day that fits day-month-year'],
    ['Made: is no day from 1990 to five years from now'],
    ['Made: is no day from 1990 to five years from now'],
  ]);
});

test('of two columns the first counts that can be used', () => {
  const head = 'No,Name,Email,Other,Mobile,Phone,Street,Suburb';
  const more = { columns: { ...columns, email: ['Email', 'Other'] } };
  const rows = [
    '1,Ann,none,ann@example.com,03 5550 1234,0491 570 156,1 High St,Kew',
    '2,Syd,syd@example.com,,,(02) 5550 1234,2 High St,Kew',
  ];
  const [ann, syd] = rowsOf(rows, more, head);
  expect(ann?.job?.values).toMatchObject({ email: 'ann@example.com', phone: '+61491570156' });
  expect(syd?.problems).toEqual(['Mobile, Phone: Enter an Australian or New Zealand mobile number']);
});

test('a row without an email is added where the map says so and a mobile is there; what else stood there goes to the notes', () => {
  const rows = [
    '1,Ann,,0491 570 157,,1 High St,Kew,,',
    '2,Bob,a@example.com; b@example.com,0491 570 157,,1 High St,Kew,,',
    '3,Cy,,12,,1 High St,Kew,,',
  ];
  expect(rowsOf(rows).map(({ problems }) => problems?.[0])).toEqual([
    'Email: Enter a valid email address',
    'Email: Enter a valid email address',
    'Email: Enter a valid email address',
  ]);
  const [ann, bob, cy] = rowsOf(rows, { withoutEmail: true });
  expect(ann?.job?.values).toMatchObject({ email: '', phone: '+61491570157', notes: '' });
  expect(bob?.job?.values).toMatchObject({
    email: '',
    notes: 'Email in the file: a@example.com; b@example.com',
  });
  expect(cy?.problems).toEqual(['Mobile, Phone: Enter an Australian or New Zealand mobile number']);
  const { email: _, ...others } = columns;
  expect(rowsOf(rows.slice(0, 1), { withoutEmail: true, columns: others })[0]?.job?.values.email).toBe('');
});

test('a row with more cells than the heading is named and left out, a shorter one is not', () => {
  const head = 'No,Name,Email,Mobile,Phone,Street,Suburb,Notes';
  const [shifted, short] = rowsOf(
    [
      '1,Ann,ann@example.com,0491570156,,12 Smith St, Fitzroy VIC 3065,Kew,',
      '2,Bob,bob@example.com,0491570156,,1 High St',
    ],
    {},
    head,
  );
  expect(shifted?.problems).toEqual([
    'it has 9 cells and the first line 8: what holds a separator has to stand in quotes',
  ]);
  expect(short?.job?.values.name).toBe('Bob');
});

test('no message says what stands in a cell', () => {
  const marker = 'Marker Person';
  const more = {
    ...{ dates: 'day-month-year', statuses: {} },
    columns: { ...columns, createdAt: 'Made', status: 'State' },
  };
  const row = `${marker},${marker},${marker},${marker},,${marker},,${marker},${marker}`;
  const mapped = rowsOf([row, row], more);
  expect(mapped.map(({ problems }) => problems?.length)).toEqual([4, 5]);
  expect(JSON.stringify(mapped)).not.toContain(marker);
  expect(() => rowsOf([], {}, `${marker},Other`)).toThrow(/^(?!.*Marker)/);
});

test('a spreadsheet takes the zero from a number, or an equals sign before it', () => {
  const [lost, kept] = rowsOf(
    [
      '1,Ann,ann@example.com,211234567,,1 High St,Kew,,',
      '2,Bob,bob@example.com,="021 123 4567",,1 High St,Kew,,',
    ],
    {},
    heading,
    'nz',
  );
  expect(lost?.job?.values.phone).toBe('+64211234567');
  expect(kept?.job?.values.phone).toBe('+64211234567');
});

test('a map may begin with a byte order mark', () => {
  expect(readColumnMap(`\ufeff${JSON.stringify(map)}`).key).toBe('No');
});
