/** What the end of a ZIP says of an entry. `start` is where its header stands, in bytes from the beginning. */
export type ZipEntry = Readonly<{
  name: Buffer;
  at: Date;
  isDeflated: boolean;
  crc: number;
  compressed: number;
  bytes: number;
  start: number;
}>;

const WITHOUT_64 = 20;
const WITH_64 = 45;
/** Made on Unix, by version 6.3 of APPNOTE.TXT. */
const MADE_BY = (3 << 8) | 63;
/** Names in UTF-8; sizes and checksum after the content, as they are not known before. */
const FLAGS = (1 << 11) | (1 << 3);
/** A file that its owner and group write and all read. */
const MODE = (0o100664 << 16) >>> 0;
/** What stands in the place of a number that is in the field of ZIP64. */
const [IN_64, MANY] = [0xffffffff, 0xffff];

/** A name as entries have it. Throws RangeError for one that a program might write outside of its folder. */
export function zipName(path: string): Buffer {
  if (/^(?:\/|[A-Za-z]:)|\\|(?:^|\/)\.\.(?:\/|$)/.test(path))
    throw new RangeError(`not a path inside: ${path}`);
  return Buffer.from(path);
}

/** What stands before the content of an entry. */
export function entryHeader({ name, at, isDeflated }: Pick<ZipEntry, 'name' | 'at' | 'isDeflated'>): Buffer {
  const header = Buffer.alloc(30 + name.length);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(WITHOUT_64, 4);
  writeKind(header, 6, at, isDeflated);
  header.writeUInt16LE(name.length, 26);
  header.set(name, 30);
  return header;
}

/** What stands after it. */
export function entryEnd(entry: ZipEntry): Buffer {
  const is64 = needs64(entry);
  const end = Buffer.alloc(is64 ? 24 : 16);
  end.writeUInt32LE(0x08074b50, 0);
  end.writeUInt32LE(entry.crc, 4);
  if (is64) write64(end, 8, entry.compressed, entry.bytes);
  else write32(end, 8, entry.compressed, entry.bytes);
  return end;
}

/** An entry's line in the index. */
export function indexLine(entry: ZipEntry): Buffer {
  const { name, at, isDeflated, crc, compressed, bytes, start } = entry;
  const is64 = needs64(entry);
  const line = Buffer.alloc(46 + name.length + 9 + (is64 ? 28 : 0));
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(MADE_BY, 4);
  line.writeUInt16LE(is64 ? WITH_64 : WITHOUT_64, 6);
  writeKind(line, 8, at, isDeflated);
  line.writeUInt32LE(crc, 16);
  write32(line, 20, ...(is64 ? ([IN_64, IN_64] as const) : ([compressed, bytes] as const)));
  line.writeUInt16LE(name.length, 28);
  line.writeUInt16LE(is64 ? 9 + 28 : 9, 30);
  line.writeUInt32LE(MODE, 38);
  line.writeUInt32LE(is64 ? IN_64 : start, 42);
  line.set(name, 46);
  const extra = 46 + name.length;
  // The moment to the second and in UTC (Info-ZIP): the fields above have it in local time.
  line.writeUInt16LE(0x5455, extra);
  line.writeUInt16LE(5, extra + 2);
  line.writeUInt8(3, extra + 4);
  line.writeInt32LE(Math.max(-0x80000000, Math.min(0x7fffffff, Math.floor(at.getTime() / 1000))), extra + 5);
  if (is64) {
    line.writeUInt16LE(1, extra + 9);
    line.writeUInt16LE(24, extra + 11);
    write64(line, extra + 13, bytes, compressed, start);
  }
  return line;
}

/** What an index says of the entry whose line stands at `place`, and how long that line is. */
export function readIndexLine(
  index: Buffer,
  place: number,
): Readonly<{ name: string; bytes: number; length: number }> {
  const extra = place + 46 + index.readUInt16LE(place + 28);
  const bytes = index.readUInt32LE(place + 24);
  return {
    name: index.toString('utf8', place + 46, extra),
    bytes: bytes === IN_64 ? Number(index.readBigUInt64LE(extra + 13)) : bytes,
    length: extra + index.readUInt16LE(place + 30) - place,
  };
}

/** The end of an archive of so many entries, whose index stands at `start` and has `size` bytes. */
export function archiveEnd(entries: number, start: number, size: number): Buffer {
  const is64 = entries >= MANY || start >= IN_64 || size >= IN_64;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(is64 ? MANY : entries, 8);
  end.writeUInt16LE(is64 ? MANY : entries, 10);
  write32(end, 12, ...(is64 ? ([IN_64, IN_64] as const) : ([size, start] as const)));
  if (!is64) return end;
  const end64 = Buffer.alloc(56 + 20);
  end64.writeUInt32LE(0x06064b50, 0);
  write64(end64, 4, 56 - 12);
  end64.writeUInt16LE(MADE_BY, 12);
  end64.writeUInt16LE(WITH_64, 14);
  write64(end64, 24, entries, entries, size, start);
  end64.writeUInt32LE(0x07064b50, 56);
  write64(end64, 64, start + size);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}

const needs64 = ({ compressed, bytes, start }: ZipEntry) =>
  compressed >= IN_64 || bytes >= IN_64 || start >= IN_64;

/** Flags, method, time and date: 8 bytes that the header and the index have in common. */
function writeKind(buffer: Buffer, place: number, at: Date, isDeflated: boolean): void {
  const { time, day } = dosMoment(at);
  buffer.writeUInt16LE(FLAGS, place);
  buffer.writeUInt16LE(isDeflated ? 8 : 0, place + 2);
  buffer.writeUInt16LE(time, place + 4);
  buffer.writeUInt16LE(day, place + 6);
}

function write32(buffer: Buffer, place: number, ...numbers: readonly number[]): void {
  for (const [n, number] of numbers.entries()) buffer.writeUInt32LE(number, place + 4 * n);
}

function write64(buffer: Buffer, place: number, ...numbers: readonly number[]): void {
  for (const [n, number] of numbers.entries()) buffer.writeBigUInt64LE(BigInt(number), place + 8 * n);
}

/** A moment in local time as DOS wrote it: to two seconds, from 1980 to 2107. */
function dosMoment(at: Date): { time: number; day: number } {
  const year = at.getFullYear();
  if (year < 1980) return { time: 0, day: (1 << 5) | 1 };
  if (year > 2107) return { time: (23 << 11) | (59 << 5) | 29, day: (127 << 9) | (12 << 5) | 31 };
  return {
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
    day: ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
  };
}
