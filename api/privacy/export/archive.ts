import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { createGate } from '#api/http/gate.ts';
import { createWrittenEntries, type WrittenEntry } from './written-entries.ts';
import { archiveEnd, entryEnd, entryHeader, type ZipEntry, zipName } from './zip-format.ts';

/** One file of an archive. `name` is its path inside, with `/`; `content` is read once, and only when its turn comes. */
export type ArchiveEntry = Readonly<{
  name: string;
  at: Date;
  /** Whether it is worth compressing: pictures and PDFs are not. */
  isText: boolean;
  content: () => AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;
}>;

/** Pieces that are made at once. Each archive waits with one of them, and a business has few a day. */
const gate = createGate({ atOnce: 4, waiting: Number.POSITIVE_INFINITY });

/** Bytes that are hashed and compressed at once. */
const CHUNK = 256 * 1024;

/**
 * A ZIP of entries as they come, `last` after them, which is given what was written. Nothing is read ahead of its reader, who
 * ends all of it by cancelling; what an entry throws ends the archive before its index, so that no program opens half of one. Archives
 * that are read at once take turns piece by piece, by their `source`: a slow reader holds up no other.
 */
export function archiveOf(
  entries: AsyncIterable<ArchiveEntry>,
  last: (written: Iterable<WrittenEntry>) => ArchiveEntry,
  source: string | null = null,
): ReadableStream<Uint8Array> {
  const bytes = archiveBytes(entries, last);
  const gone = new AbortController();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const turn = { source, signal: gone.signal };
        const { done, value } = await gate.run(() => bytes.next(), turn);
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        gone.abort();
        await bytes.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* archiveBytes(
  entries: AsyncIterable<ArchiveEntry>,
  last: (written: Iterable<WrittenEntry>) => ArchiveEntry,
): AsyncGenerator<Uint8Array, void> {
  const written = createWrittenEntries();
  const chunks = { one: new Uint8Array(CHUNK), other: new Uint8Array(CHUNK) };
  let place = 0;

  async function* write({ name, at, isText, content }: ArchiveEntry): AsyncGenerator<Uint8Array, void> {
    const start = place;
    const kind = { name: zipName(name), at, isDeflated: isText };
    const hash = createHash('sha256');
    const counted = { crc: 0, bytes: 0, compressed: 0 };
    const onContent = (chunk: Uint8Array) => {
      hash.update(chunk);
      counted.crc = crc32(chunk, counted.crc);
      counted.bytes += chunk.byteLength;
    };
    const header = entryHeader(kind);
    place += header.byteLength;
    yield header;
    for await (const piece of isText
      ? deflated(content(), chunks, onContent)
      : stored(content(), onContent)) {
      counted.compressed += piece.byteLength;
      place += piece.byteLength;
      yield piece;
    }
    const entry: ZipEntry = { ...kind, ...counted, start };
    const end = entryEnd(entry);
    place += end.byteLength;
    written.add(entry, hash.digest());
    yield end;
  }

  for await (const entry of entries) yield* write(entry);
  yield* write(last(written.entries()));
  let size = 0;
  for (const lines of written.index()) {
    size += lines.byteLength;
    yield lines;
  }
  yield archiveEnd(written.count(), place, size);
}

type Content = ReturnType<ArchiveEntry['content']>;

async function* stored(content: Content, onContent: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    onContent(chunk);
    yield chunk;
  }
}

/**
 * The next chunk is filled while one is compressed, by another thread. What fits in one is compressed at once: such a thread costs
 * more than a few kilobytes do.
 */
async function* deflated(
  content: Content,
  chunks: Chunks,
  onContent: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const chunked = filled(content, chunks);
  const [first, second] = [await chunked.next(), await chunked.next()];
  if (second.done) {
    const chunk = first.value ?? new Uint8Array();
    onContent(chunk);
    yield Bun.deflateSync(chunk, { level: 1, library: 'libdeflate' });
    return;
  }
  const deflate = createDeflateRaw({ level: 1, chunkSize: CHUNK });
  const compressed: Uint8Array[] = [];
  deflate.on('data', (piece: Uint8Array) => compressed.push(piece));
  let taken = Promise.resolve();
  try {
    for await (const chunk of followed([first.value, second.value], chunked)) {
      onContent(chunk);
      await taken;
      taken = take(deflate, chunk);
      // It is thrown where it is awaited, unless the reader has gone by then.
      taken.catch(() => {});
      yield* compressed.splice(0);
    }
    await taken;
    deflate.end();
    await once(deflate, 'end');
    yield* compressed;
  } finally {
    deflate.destroy();
  }
}

async function* followed<T>(first: readonly T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}

function take(deflate: DeflateRaw, chunk: Uint8Array): Promise<void> {
  return new Promise((done, fail) => deflate.write(chunk, (error) => (error ? fail(error) : done())));
}

/** Two places for bytes: one is filled while what stands in the other is in use. */
type Chunks = Readonly<{ one: Uint8Array; other: Uint8Array }>;

const encoder = new TextEncoder();

/** The same content in UTF-8 and in whole chunks. Each is good until the next but one is asked for. */
async function* filled(content: Content, { one, other }: Chunks): AsyncGenerator<Uint8Array> {
  let [chunk, next] = [one, other];
  let length = 0;
  for await (const piece of content) {
    let rest = piece;
    while (rest.length > 0) {
      const room = chunk.subarray(length);
      const { read, written } =
        typeof rest === 'string' ? encoder.encodeInto(rest, room) : copied(rest, room);
      length += written;
      rest = typeof rest === 'string' ? rest.slice(read) : rest.subarray(read);
      if (rest.length === 0) break;
      yield chunk.subarray(0, length);
      [chunk, next, length] = [next, chunk, 0];
    }
  }
  if (length > 0) yield chunk.subarray(0, length);
}

function copied(bytes: Uint8Array, room: Uint8Array): { read: number; written: number } {
  const part = bytes.subarray(0, room.length);
  room.set(part);
  return { read: part.length, written: part.length };
}
