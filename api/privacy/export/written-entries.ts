import { indexLine, readIndexLine, type ZipEntry } from './zip-format.ts';

/** What was written of an entry: its bytes before compression and their SHA-256 in hex. */
export type WrittenEntry = Readonly<{ name: string; bytes: number; sha256: string }>;

/** The index of an archive as it grows: an archive may have a hundred thousand entries, and objects of each would take more memory. */
export type WrittenEntries = Readonly<{
  add(entry: ZipEntry, sha256: Buffer): void;
  count(): number;
  /** The index, in pieces. */
  index(): Iterable<Buffer>;
  entries(): Iterable<WrittenEntry>;
}>;

const PIECE = 64 * 1024;
const HASH_BYTES = 32;

export function createWrittenEntries(): WrittenEntries {
  const lines = createPieces();
  const hashes = createPieces();
  let amount = 0;
  return {
    add(entry, sha256) {
      lines.add(indexLine(entry));
      hashes.add(sha256);
      amount += 1;
    },
    count: () => amount,
    index: lines.all,
    *entries() {
      const each = hashesIn(hashes.all());
      for (const piece of lines.all()) {
        for (let place = 0; place < piece.length; ) {
          const { name, bytes, length } = readIndexLine(piece, place);
          yield { name, bytes, sha256: each.next().value as string };
          place += length;
        }
      }
    },
  };
}

function* hashesIn(pieces: Iterable<Buffer>): Generator<string> {
  for (const piece of pieces) {
    for (let place = 0; place < piece.length; place += HASH_BYTES)
      yield piece.toString('hex', place, place + HASH_BYTES);
  }
}

/** Bytes that are added one after the other; what was added at once is in one piece. */
function createPieces(): Readonly<{ add(bytes: Buffer): void; all(): Iterable<Buffer> }> {
  const full: Buffer[] = [];
  let piece = Buffer.alloc(0);
  let length = 0;
  return {
    add(bytes) {
      if (length + bytes.length > piece.length) {
        if (length > 0) full.push(piece.subarray(0, length));
        // Most archives have few entries.
        piece = Buffer.alloc(Math.max(bytes.length, full.length === 0 ? PIECE / 16 : PIECE));
        length = 0;
      }
      piece.set(bytes, length);
      length += bytes.length;
    },
    *all() {
      yield* full;
      if (length > 0) yield piece.subarray(0, length);
    },
  };
}
