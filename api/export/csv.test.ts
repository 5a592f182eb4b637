import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

/** Beginnings that spreadsheets calculate, or have calculated, each before something to do. */
const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const before = ['', ' ', '\t', '\r', '\n', '\u00a0', '\u3000', '\ufeff'];
const formulas = signs.flatMap((sign) => before.map((space) => `${space}${sign}cmd|' /C calc'!A0`));
const others = ['\tname', '\rname', '\nname'];

/** The cells of one line, as RFC 4180 has them. */
function cellsOf(line: string): string[] {
  expect(line.endsWith('\r\n')).toBe(true);
  const cells = [...line.slice(0, -2).matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)];
  return cells.map(([, cell = '']) => cell.replaceAll('""', '"'));
}

test('no cell is a formula, however it begins', () => {
  const cells = cellsOf(csvLine([...formulas, ...others]));
  expect(cells).toHaveLength(67);
  for (const cell of cells) expect(cell).toMatch(/^'/);
});

test('every other cell comes back as it was', () => {
  const cells = [
    '0412 345 678',
    'Says "hi", twice',
    'two\r\nlines',
    '',
    'a=b',
    '3-5 pm',
    'né 水',
    "O'Brien",
    '7 Mill St',
  ];
  expect(cellsOf(csvLine(cells))).toEqual(cells);
});
