import type { Connection, PoolClient, Submittable } from 'pg';

/** Bytes handed to the socket at a time. */
const CHUNK = 64 * 1024;

/** A cell of a COPY; null is SQL's NULL. */
export type Cell = string | number | null;

/** One line of COPY's text format, line break included. */
export function copyLine(cells: readonly Cell[]): string {
  return `${cells.map(copyCell).join('\t')}\n`;
}

/** `copy … from stdin` of lines that `copyLine` wrote. Rejects with the server's error; the connection stays usable. */
export function copyIn(client: PoolClient, statement: string, lines: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.query(new CopyIn(statement, lines.join(''), resolve, reject));
  return promise;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function copyCell(cell: Cell): string {
  if (cell === null) return '\\N';
  return typeof cell === 'number'
    ? String(cell)
    : cell.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? '');
}

type CopyConnection = Connection & {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** What `pg` calls back while a statement runs; the answer to a COPY carries no rows. */
class CopyIn implements Submittable {
  private failure: Error | undefined;

  constructor(
    private readonly statement: string,
    private readonly text: string,
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    (connection as CopyConnection).query(this.statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const bytes = Buffer.from(this.text, 'utf8');
    for (let from = 0; from < bytes.length; from += CHUNK) {
      connection.sendCopyFromChunk(bytes.subarray(from, from + CHUNK));
    }
    connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.failure = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.failure) this.resolve();
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
}
