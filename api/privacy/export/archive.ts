import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** One file of an archive. `name` is its path inside, with `/`; `content` is read once, and only when its turn comes. */
export type ArchiveEntry = Readonly<{
  name: string;
  at: Date;
  /** Whether it is worth compressing: pictures and PDFs are not. */
  isText: boolean;
  content: () => AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;
}>;

/** What was written of an entry: its bytes before compression and their SHA-256 in hex. */
export type WrittenEntry = Readonly<{ name: string; bytes: number; sha256: string }>;

/**
 * A ZIP of entries as they come, `last` after them, which is given what was written. Nothing is read ahead of its reader, who
 * ends all of it by cancelling; what an entry throws ends the archive before its index, so that no program opens half of one.
 */
export function archiveOf(
  entries: AsyncIterable<ArchiveEntry>,
  last: (written: readonly WrittenEntry[]) => ArchiveEntry,
): ReadableStream<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const written: WrittenEntry[] = [];
  const stopped = new AbortController();
  output.once('close', () => stopped.abort());

  async function writeAll(): Promise<void> {
    for await (const entry of entries) written.push(await write(entry));
    await write(last(written));
    zip.end();
  }

  /** Settles once the whole entry was read by the archive, or the archive has no reader any more. */
  function write({ name, at, isText, content }: ArchiveEntry): Promise<WrittenEntry> {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* counted() {
      for await (const piece of content()) {
        const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
        hash.update(chunk);
        bytes += chunk.byteLength;
        yield chunk;
      }
    }
    const source = Readable.from(counted(), { objectMode: false, highWaterMark: 64 * 1024 });
    const stop = () => source.destroy();
    stopped.signal.addEventListener('abort', stop);
    const { promise, resolve, reject } = Promise.withResolvers<WrittenEntry>();
    source.once('end', () => resolve({ name, bytes, sha256: hash.digest('hex') }));
    source.once('error', reject);
    source.once('close', () => reject(new Error('the archive is not read any more')));
    zip.addReadStream(source, name, { mtime: at, compress: isText, compressionLevel: isText ? 1 : 0 });
    return promise.finally(() => stopped.signal.removeEventListener('abort', stop));
  }

  zip.on('error', (error) => output.destroy(error));
  writeAll().catch((error: Error) => output.destroy(error));
  return Readable.toWeb(output) as unknown as ReadableStream<Uint8Array>;
}
