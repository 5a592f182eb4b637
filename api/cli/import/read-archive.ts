import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise } from 'yauzl';

/** An export on this disk, its entries read as they are asked for. */
export type Archive = Readonly<{
  /** The lines of an entry. Throws where there is none. */
  lines(name: string): AsyncIterable<string>;
  /** The bytes of an entry; null where there is none, or one of more than `most` bytes. */
  bytes(name: string, most: number): Promise<Buffer | null>;
  close(): void;
}>;

/** Throws for what is no whole ZIP. */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return {
    async *lines(name) {
      const entry = entries.get(name);
      if (!entry) throw new Error(`There is no ${name} in it: this is no export of Ute.`);
      const input = await zip.openReadStreamPromise(entry);
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        if (line.trim() !== '') yield line;
      }
    },
    async bytes(name, most) {
      const entry = entries.get(name);
      if (!entry || entry.uncompressedSize > most) return null;
      return buffer(await zip.openReadStreamPromise(entry));
    },
    close: () => zip.close(),
  };
}
