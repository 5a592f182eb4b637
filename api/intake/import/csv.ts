/** A row of a CSV: the number of the line that it begins on in the file, from 1, and its cells. */
export type CsvRow = Readonly<{ line: number; cells: readonly string[] }>;

const separators = [',', ';', '\t'] as const;
export type Separator = (typeof separators)[number];

/** What Excel writes as a first line, and takes as what stands between two cells. */
const SEPARATOR_LINE = /^sep=(.)\n/i;

/**
 * The rows of a CSV (RFC 4180) in UTF-8, with or without a byte order mark, its lines ended as any system does; empty lines are left
 * out. Throws with one line for other bytes and for a quote that is never closed.
 * @param separator null: the one that a first line `sep=` names, or that occurs most often in the heading
 */
export function readCsv(bytes: Uint8Array, separator: Separator | null): CsvRow[] {
  const text = decoded(bytes).replace(/\r\n?/g, '\n');
  const [line = '', named] = SEPARATOR_LINE.exec(text) ?? [];
  const rest = text.slice(line.length);
  return rowsOf(rest, separator ?? named ?? separatorOf(rest), line === '' ? 1 : 2);
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The file is not UTF-8: save it as "CSV UTF-8".');
  }
}

function separatorOf(text: string): Separator {
  const heading = text.split('\n', 1)[0] ?? '';
  const count = (one: string) => heading.split(one).length;
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best));
}

function rowsOf(text: string, separator: string, firstLine: number): CsvRow[] {
  const rows: CsvRow[] = [];
  let [cells, cell, line, begun]: [string[], string, number, number] = [[], '', firstLine, firstLine];
  let isQuoted = false;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: begun, cells });
    [cells, cell] = [[], ''];
  };
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell.trim() === '') [isQuoted, cell] = [true, ''];
    else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n') {
      endRow();
      begun = line;
    } else cell += letter;
  }
  if (isQuoted) throw new Error(`A quote that opens on line ${begun} is never closed.`);
  if (cell !== '' || cells.length > 0) endRow();
  return rows;
}
