import { expect, test } from 'vitest';
import { readCsv, type Separator } from './csv.ts';

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

test('a first line of Excel names the separator, and lines may end as on an old Macintosh', () => {
  expect(cellsOf('\ufeffsep=;\r\na;b,c\r\n1;2')).toEqual([
    [2, 'a', 'b,c'],
    [3, '1', '2'],
  ]);
  expect(cellsOf('sep=|\na|b')).toEqual([[2, 'a', 'b']]);
  expect(cellsOf('a,b\r1,2\r"x\ry",3')).toEqual([
    [1, 'a', 'b'],
    [2, '1', '2'],
    [3, 'x\ny', '3'],
  ]);
});
