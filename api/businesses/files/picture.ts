import { createGate } from '#api/http/limits.ts';

const PROCESS = new URL('./picture-process.ts', import.meta.url).pathname;
/** How long one picture may take, in milliseconds. */
const TIMEOUT = 10_000;
const TOO_MANY_PIXELS = 10;

/** Pictures at once (each takes a core and up to 200 MB for a moment: the others are for who waits for a page), and waiting. */
const gate = createGate(1, 20);

/** How a picture is drawn anew: to fit a square of `side` pixels, refused above `mostPixels` of width times height. */
export type Drawing = Readonly<{ side: number; mostPixels: number; type: PictureType }>;

/** Why there is no picture: the sender may read it. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  constructor(readonly reason: 'damaged' | 'too large' | 'too slow') {
    super(`the picture is ${reason}`);
  }
}

/**
 * The picture alone, upright: no EXIF, no position, no bytes before or behind it. Drawn in a process of its own, so that a
 * picture which hangs or kills its decoder takes nothing else with it. Throws `PictureError`, and 429 when too many wait.
 */
export function redraw(
  bytes: Uint8Array,
  { side, mostPixels, type }: Drawing,
  timeout = TIMEOUT,
): Promise<Uint8Array> {
  return gate.run(async () => {
    const child = Bun.spawn([process.execPath, PROCESS, String(side), String(mostPixels), type], {
      stdin: bytes,
      stdout: 'pipe',
      stderr: 'ignore',
      env: {},
      timeout,
      killSignal: 'SIGKILL',
    });
    const [drawn, code] = await Promise.all([new Response(child.stdout).bytes(), child.exited]);
    if (child.signalCode === 'SIGKILL') throw new PictureError('too slow');
    if (code === TOO_MANY_PIXELS) throw new PictureError('too large');
    if (code !== 0 || sniff(drawn) !== type) throw new PictureError('damaged');
    return drawn;
  });
}

/** The kinds of file that we take, by what their bytes are. */
const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
type PictureType = (typeof pictureTypes)[number];
export type FileType = PictureType | 'application/pdf';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
/** Markers of a JPEG that stand alone, without a length behind them. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** What a file is, by its first bytes, whatever its name and sender say; null for anything that we do not take. */
export function sniff(bytes: Uint8Array): FileType | null {
  if (startsWith(bytes, PNG)) return 'image/png';
  if (startsWith(bytes, JPEG)) return 'image/jpeg';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  return ascii(bytes, 0, 5) === '%PDF-' ? 'application/pdf' : null;
}

export function isPicture(type: FileType | null): type is PictureType {
  return pictureTypes.some((picture) => picture === type);
}

/**
 * Whether a file goes on to its end, where a decoder would not tell: it fills what a JPEG lacks with grey. The others are
 * refused by their decoder when they are cut off.
 */
export function isWhole(bytes: Uint8Array, type: FileType): boolean {
  if (type === 'image/jpeg') return jpegEnds(bytes);
  if (type === 'application/pdf') return ascii(bytes, bytes.length - 1_024, bytes.length).includes('%%EOF');
  return true;
}

/** Whether an end of image follows the start of the first scan: one before that belongs to a thumbnail. */
function jpegEnds(bytes: Uint8Array): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    if (marker === START_OF_SCAN) return hasEnd(bytes, at + 2);
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else at += 2 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
  }
  return false;
}

function hasEnd(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === END_OF_IMAGE) return true;
  }
  return false;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(Math.max(0, from), to));
}
