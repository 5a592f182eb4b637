/** What a spreadsheet takes for the beginning of a formula, also after spaces and in full width. */
const FORMULA = /^[\s\u00a0\u3000\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * One line of a CSV (RFC 4180): every cell in quotes, CRLF at its end. A cell that a spreadsheet would calculate gets an
 * apostrophe before it (OWASP, CSV injection).
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Before the first line: without it spreadsheets read UTF-8 as something else. */
export const BYTE_ORDER_MARK = '\ufeff';
