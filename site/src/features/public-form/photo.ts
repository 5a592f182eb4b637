import { mediaUpload } from '#core/values/uploads.ts';
import { drawnWithin } from '#site/lib/drawn-within.ts';

/** Enough to see a leak by, in pixels; a phone's picture has twice that. */
const longest = 2048;
/** A picture of fewer bytes is sent as it is. */
const small = 1024 * 1024;

const pictures: readonly (readonly [at: number, signature: string])[] = [
  [0, '\x89PNG'],
  [0, '\xff\xd8\xff'],
  [8, 'WEBP'],
];

/** The file as it is sent, or why it cannot be, in words for the customer. */
export type Prepared = Readonly<{ file: Blob; name: string } | { problem: string }>;

/** Takes PDFs as they are, and pictures in the size that is needed. A picture that cannot be drawn is the server's to judge. */
export async function prepare(file: File): Promise<Prepared> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  const isPicture = pictures.some(([at, signature]) => head.startsWith(signature, at));
  if (!isPicture && !head.startsWith('%PDF-')) return { problem: mediaUpload.wrongType };
  const sent = isPicture && file.size > small ? await shrunk(file).catch(() => file) : file;
  if (sent.size > mediaUpload.bytes) return { problem: mediaUpload.tooLarge };
  return { file: sent, name: sent === file ? file.name : file.name.replace(/\.\w+$|$/, '.jpg') };
}

async function shrunk(file: Blob): Promise<Blob> {
  const canvas = await drawnWithin(file, longest);
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
  return drawn && drawn.size < file.size ? drawn : file;
}
