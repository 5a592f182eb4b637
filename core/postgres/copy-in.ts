import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';

/** Bytes handed to the connection at a time. */
const CHUNK = 64 * 1024;

/** A cell of a COPY; null is SQL's NULL. */
export type Cell = string | number | boolean | null;

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** Most cells have none: looking is cheaper than replacing. */
const special = /[\\\t\n\r]/;

/** One line of COPY's text format, line break included. */
export function copyLine(cells: readonly Cell[]): string {
  const texts: (string | number | boolean)[] = [];
  for (const cell of cells) texts.push(cell === null ? '\\N' : copyCell(cell));
  // Joined at once: a text that grew cell by cell is put together again before it is sent.
  return `${texts.join('\t')}\n`;
}

function copyCell(cell: string | number | boolean): string | number | boolean {
  if (typeof cell !== 'string' || !special.test(cell)) return cell;
  return cell.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? '');
}

/** `copy … from stdin` of lines that `copyLine` wrote. Rejects with the server's error; the connection stays usable. */
export function copyIn(client: PoolClient, statement: string, lines: readonly string[]): Promise<void> {
  return pipeline(
    Readable.from(chunksOf(Buffer.from(lines.join(''), 'utf8'))),
    client.query(from(statement)),
  );
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK) yield bytes.subarray(start, start + CHUNK);
}
