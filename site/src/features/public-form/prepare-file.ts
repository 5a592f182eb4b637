import { fileTypeOf, tellingBytes } from '#core/values/file-types.ts';
import { isPictureType, mediaUpload } from '#core/values/uploads.ts';
import { pictureToSend } from '#site/lib/files.ts';

/** A tile on a screen with two pixels for one, in pixels. */
const previewSide = 192;

/** The file as it is sent, with a small picture of it as a data URL, or why it cannot be, in words for the customer. */
export type Prepared =
  | Readonly<{ file: Blob; name: string; preview: string | null }>
  | Readonly<{ problem: string }>;

/** Takes PDFs as they are, and pictures in the size that is needed. A picture that cannot be drawn is the server's to judge. */
export async function prepare(file: File): Promise<Prepared> {
  const type = fileTypeOf(new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer()));
  if (type === null) return { problem: mediaUpload.wrongType };
  const { file: sent, canvas } = isPictureType(type) ? await pictureToSend(file) : { file, canvas: null };
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
