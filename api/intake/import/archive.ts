import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise } from 'yauzl';

/** Bytes of a line at most; the longest that an export writes has a tenth of them. */
const LONGEST_LINE = 1024 * 1024;
const LINE_FEED = 0x0a;

/** An export on this disk, its entries read as they are asked for. */
export type Archive = Readonly<{
  /** The lines of an entry, null for one of more than a megabyte. Throws where there is no such entry. */
  lines(name: string): AsyncIterable<string | null>;
  /** The bytes of an entry; null where there is none, or one of more than `most` bytes. */
  bytes(name: string, most: number): Promise<Buffer | null>;
  close(): void;
}>;

/** Throws for what is no whole ZIP. */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch((error) => {
    throw 'code' in error
      ? error
      : new Error(`${file} is no whole ZIP: a CSV needs --map.`, { cause: error });
  });
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return {
    async *lines(name) {
      const entry = entries.get(name);
      if (!entry) throw new Error(`There is no ${name} in it: this is no export of Ute.`);
      const input = await zip.openReadStreamPromise(entry);
      yield* linesOf(input);
    },
    async bytes(name, most) {
      const entry = entries.get(name);
      if (!entry || entry.uncompressedSize > most) return null;
      return buffer(await zip.openReadStreamPromise(entry));
    },
    close: () => zip.close(),
  };
}

/**
 * Lines that hold something, in order. They end by a line feed alone: what Unicode calls the end of a line may stand in a text.
 * One that is too long is dropped as it comes, and null stands for it.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncIterable<string | null> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(part);
  };
  const taken = () => {
    const line = length > LONGEST_LINE ? null : Buffer.concat(parts).toString();
    [parts, length] = [[], 0];
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      const line = taken();
      if (line?.trim() !== '') yield line;
    }
    add(chunk.subarray(from));
  }
  const last = taken();
  if (last?.trim() !== '') yield last;
}
