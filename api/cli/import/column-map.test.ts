import { expect, test } from 'vitest';
import { mapRows, readColumnMap, readCsv, type Separator } from './column-map.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const cellsOf = (text: string, separator: Separator | null = null) =>
  readCsv(bytes(text), separator).map(({ line, cells }) => [line, ...cells]);

test('cells in quotes hold separators, quotes and lines; rows know their line in the file', () => {
  expect(cellsOf('\ufeffa,b\r\n"x, y","say ""hi"""\r\n\r\n"two\r\nlines",2\r\nlast,3')).toEqual([
    [1, 'a', 'b'],
    [2, 'x, y', 'say "hi"'],
    [4, 'two\nlines', '2'],
    [6, 'last', '3'],
  ]);
});

test('the heading tells the separator, unless it is named', () => {
  expect(cellsOf('a;b,c;d\n1;2;3')).toEqual([
    [1, 'a', 'b,c', 'd'],
    [2, '1', '2', '3'],
  ]);
  expect(cellsOf('a\tb\n1\t2')).toEqual([
    [1, 'a', 'b'],
    [2, '1', '2'],
  ]);
  expect(cellsOf('a;b', ',')).toEqual([[1, 'a;b']]);
});

test('a quote that is never closed, and bytes that are not UTF-8, are refused', () => {
  expect(() => readCsv(bytes('a\n"b'), null)).toThrow('A quote that opens on line 2 is never closed.');
  expect(() => readCsv(new Uint8Array([0x4e, 0xe9]), null)).toThrow('The file is not UTF-8');
});

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
const rowsOf = (rows: readonly string[], more: object = {}, head = heading) => {
  const text = JSON.stringify({ ...map, ...more });
  return mapRows(readColumnMap(text), readCsv(bytes([head, ...rows].join('\n')), null), {
    timeZone: 'Australia/Melbourne',
    region: 'au',
  });
};

test('a heading that is not there, or twice, is refused', () => {
  expect(() => rowsOf([], {}, 'No,Name')).toThrow('The file has no column "Email". It has: No, Name');
  expect(() => rowsOf([], {}, `${heading},Email`)).toThrow('The file has two columns "Email".');
  expect(() => mapRows(readColumnMap(JSON.stringify(map)), [], { timeZone: 'UTC', region: 'au' })).toThrow(
    'The file is empty.',
  );
});

test.each([
  ['3/2/2026', 'day-month-year', '2026-02-02T13:00:00.000Z'],
  ['2/3/2026', 'month-day-year', '2026-02-02T13:00:00.000Z'],
  ['2026-02-03', 'year-month-day', '2026-02-02T13:00:00.000Z'],
  ['03.02.2026 12:05 am', 'day-month-year', '2026-02-02T13:05:00.000Z'],
  ['3/2/2026, 2:30:10 PM', 'day-month-year', '2026-02-03T03:30:00.000Z'],
  ['2026-02-03T14:30', 'year-month-day', '2026-02-03T03:30:00.000Z'],
  ['2026-02-03T04:05:06Z', 'day-month-year', '2026-02-03T04:05:06.000Z'],
  ['31/02/2026', 'day-month-year', null],
  ['3/13/2026', 'day-month-year', null],
  ['3/2/26', 'day-month-year', null],
  ['soon', 'day-month-year', null],
])('the day %s, written %s, is %s', (text, dates, instant) => {
  const row = `1,Sam,sam@example.com,0491570157,,1 High St,Kew,"${text}",`;
  const [mapped] = rowsOf([row], { dates, columns: { ...columns, createdAt: 'Made' } });
  expect(mapped?.job?.createdAt ?? null).toBe(instant);
  if (instant === null) expect(mapped?.problems).toEqual([`Made: "${text}" is no day that fits ${dates}`]);
});
