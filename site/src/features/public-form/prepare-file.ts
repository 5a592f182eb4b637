import { mediaUpload } from '#core/values/uploads.ts';
import { drawnWithin, sentPictures, smallerOf } from '#site/lib/files.ts';

/** A tile on a screen with two pixels for one, in pixels. */
const previewSide = 192;

const pictures: readonly (readonly [at: number, signature: string])[] = [
  [0, '\x89PNG'],
  [0, '\xff\xd8\xff'],
  [8, 'WEBP'],
];

/** The file as it is sent, with a small picture of it as a data URL, or why it cannot be, in words for the customer. */
export type Prepared =
  | Readonly<{ file: Blob; name: string; preview: string | null }>
  | Readonly<{ problem: string }>;

/** Takes PDFs as they are, and pictures in the size that is needed. A picture that cannot be drawn is the server's to judge. */
export async function prepare(file: File): Promise<Prepared> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  const isPicture = pictures.some(([at, signature]) => head.startsWith(signature, at));
  if (!isPicture && !head.startsWith('%PDF-')) return { problem: mediaUpload.wrongType };
  const canvas = isPicture ? await drawnWithin(file, sentPictures.longest).catch(() => null) : null;
  const sent = canvas && file.size > sentPictures.small ? await smallerOf(file, canvas) : file;
  if (sent.size > mediaUpload.bytes) return { problem: mediaUpload.tooLarge };
  return {
    file: sent,
    name: sent === file ? file.name : file.name.replace(/\.\w+$|$/, '.jpg'),
    preview: canvas && previewOf(canvas),
  };
}

/** The middle of it as a square. */
function previewOf(canvas: HTMLCanvasElement): string {
  const tile = document.createElement('canvas');
  tile.width = previewSide;
  tile.height = previewSide;
  const side = Math.min(canvas.width, canvas.height);
  const [x, y] = [(canvas.width - side) / 2, (canvas.height - side) / 2];
  tile.getContext('2d')?.drawImage(canvas, x, y, side, side, 0, 0, previewSide, previewSide);
  return tile.toDataURL('image/jpeg', 0.7);
}
