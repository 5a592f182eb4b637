import type { PictureType } from './uploads.ts';

/** Every kind of file that we take. */
export type FileType = PictureType | 'application/pdf';

/** How many of a file's first bytes tell what it is. */
export const tellingBytes = 1_024 + 5;

/** What readers of PDFs skip before one: marks of byte order, blanks and NULs, and no text. */
const PDF = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe|[\0\s])*%PDF-/;
const signatures: readonly (readonly [type: FileType, fits: (head: string) => boolean])[] = [
  ['image/png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/webp', (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8)],
  ['application/pdf', (head) => PDF.test(head)],
];

/** What a file is, by its first bytes (`tellingBytes`), whatever its name and sender say; null for anything that we do not take. */
export function fileTypeOf(bytes: Uint8Array): FileType | null {
  const head = String.fromCharCode(...bytes.subarray(0, tellingBytes));
  return signatures.find(([, fits]) => fits(head))?.[0] ?? null;
}

/** Whether a WebP holds several pictures that are shown one after the other: bit 2 of the flags in its header says so. */
export function isMovingWebp(bytes: Uint8Array): boolean {
  const [FLAGS, MOVING] = [20, 2];
  return String.fromCharCode(...bytes.subarray(12, 16)) === 'VP8X' && ((bytes[FLAGS] ?? 0) & MOVING) !== 0;
}
