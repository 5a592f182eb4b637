import { isMovingWebp } from '#core/values/file-types.ts';
import type { PictureType } from '#core/values/uploads.ts';

/** What a picture says of itself before any of it is decoded. */
export type PictureStructure = Readonly<{
  pixels: number;
  /** How it is to be turned, as EXIF counts it: 1 for not at all. Of a PNG alone; the decoder turns a JPEG by itself. */
  orientation: number;
  /** Whether something may shine through it. */
  hasAlpha: boolean;
  /** Whether it is several pictures, shown one after the other. */
  isMoving: boolean;
  /** How often a decoder goes over its pixels, and how many tables and notes it reads before: of more than `mostTables` no more are counted. */
  scans: number;
  tables: number;
}>;

/** No camera and no program for saving pictures comes near it. */
export const mostTables = 256;

const plain = { orientation: 1, hasAlpha: false, isMoving: false, scans: 1, tables: 0 } as const;

/** What a whole picture of this type says of itself; null for one that is cut off or says nothing that makes sense. */
export function structureOf(bytes: Uint8Array, type: PictureType): PictureStructure | null {
  try {
    const structure = readers[type](viewOf(bytes), bytes);
    return structure && structure.pixels > 0 ? structure : null;
  } catch (error) {
    // It ends before what it announces.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const readers: Record<PictureType, (view: DataView, bytes: Uint8Array) => PictureStructure | null> = {
  'image/png': ofPng,
  'image/jpeg': ofJpeg,
  'image/webp': ofWebp,
};

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
const nameAt = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((n) => view.getUint8(at + n)));

/** Chunks of length, name, content and checksum; browsers look for an orientation before the pixels alone. */
function ofPng(view: DataView, bytes: Uint8Array): PictureStructure | null {
  const [SIGNATURE, FRAME, COLOUR] = [8, 12, 25];
  if (nameAt(view, SIGNATURE + 4) !== 'IHDR') return null;
  const pixels = view.getUint32(16) * view.getUint32(20);
  const colour = view.getUint8(COLOUR);
  let [orientation, hasAlpha, tables] = [1, colour === 4 || colour === 6, 0];
  for (let at = SIGNATURE; tables <= mostTables; at += view.getUint32(at) + FRAME) {
    const name = nameAt(view, at + 4);
    if (name === 'IDAT') break;
    tables += 1;
    if (name === 'tRNS') hasAlpha = true;
    if (name === 'eXIf') orientation = orientationOf(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return { ...plain, pixels, orientation, hasAlpha, tables };
}

/** The orientation in what a camera wrote: in the first directory of a TIFF, in either order of bytes. 1 where there is none. */
function orientationOf(camera: Uint8Array): number {
  const [ORIENTATION, LENGTH, LITTLE] = [0x0112, 12, 0x4949];
  const tiff = viewOf(camera);
  const ends = (at: number) => at + LENGTH > tiff.byteLength;
  if (ends(0)) return 1;
  const isLittle = tiff.getUint16(0) === LITTLE;
  const first = tiff.getUint32(4, isLittle) + 2;
  const end = ends(first) ? first : first + tiff.getUint16(first - 2, isLittle) * LENGTH;
  for (let at = first; at < end && !ends(at); at += LENGTH) {
    if (tiff.getUint16(at, isLittle) !== ORIENTATION) continue;
    const orientation = tiff.getUint16(at + 8, isLittle);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** Markers of a JPEG: of frames, of tables, of what has no length, and of a scan and the end. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isTable = (marker: number) => [0xc4, 0xcc, 0xdb].includes(marker);
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const [START_OF_SCAN, END_OF_IMAGE, FILL] = [0xda, 0xd9, 0xff];

/** Goes from marker to marker, over the bytes of each scan, to the end of the image: one before a scan is that of a thumbnail. */
function ofJpeg(view: DataView, bytes: Uint8Array): PictureStructure | null {
  let [pixels, scans, tables, at] = [0, 0, 0, 2];
  for (;;) {
    if (tables > mostTables) return { ...plain, pixels, scans, tables };
    if (view.getUint8(at) !== FILL) return null;
    const marker = view.getUint8(at + 1);
    if (marker === END_OF_IMAGE) return scans === 0 ? null : { ...plain, pixels, scans, tables };
    if (marker === FILL) at += 1;
    else if (isBare(marker)) at += 2;
    else {
      if (isFrame(marker)) pixels = Math.max(pixels, view.getUint16(at + 5) * view.getUint16(at + 7));
      if (isTable(marker)) tables += 1;
      if (marker === START_OF_SCAN) scans += 1;
      at += 2 + view.getUint16(at + 2);
      if (marker === START_OF_SCAN) at = endOfScan(bytes, at);
    }
  }
}

/** Where the next marker stands: in a scan one is its own only with a zero or a number of restart behind it. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== FILL) continue;
    const marker = bytes[at + 1] as number;
    if (marker !== 0 && marker !== FILL && !isBare(marker)) return at;
  }
  return bytes.length;
}

/** One chunk, of pixels with or without loss, or a header before several. */
function ofWebp(view: DataView, bytes: Uint8Array): PictureStructure | null {
  const CONTENT = 20;
  const short = (at: number) => view.getUint16(at, true);
  const triple = (at: number) => short(at) | (view.getUint8(at + 2) << 16);
  switch (nameAt(view, 12)) {
    case 'VP8 ':
      return { ...plain, pixels: (short(CONTENT + 6) & 0x3fff) * (short(CONTENT + 8) & 0x3fff) };
    case 'VP8L': {
      const bits = view.getUint32(CONTENT + 1, true);
      const hasAlpha = ((bits >>> 28) & 1) === 1;
      return { ...plain, pixels: ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1), hasAlpha };
    }
    case 'VP8X': {
      const pixels = (triple(CONTENT + 4) + 1) * (triple(CONTENT + 7) + 1);
      const hasAlpha = (view.getUint8(CONTENT) & 0x10) !== 0;
      return { ...plain, pixels, hasAlpha, isMoving: isMovingWebp(bytes) };
    }
    default:
      return null;
  }
}
