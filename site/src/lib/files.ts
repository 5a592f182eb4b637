import { isMovingWebp, tellingBytes } from '#core/values/file-types.ts';

/** Gives the browser a text to save under a name. `type` is its media type. */
export function saveFile({ name, text, type }: Readonly<{ name: string; text: string; type: string }>): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  download(url, name);
  URL.revokeObjectURL(url);
}

/** Has the browser download what a link of ours leads to; the page stays. `name`: where the answer gives none. */
export function download(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/**
 * A picture drawn anew so that neither side is longer than `longest` pixels: upright as its camera meant it, and without
 * what else was in the file. The size of a small one stays. On `ground` where that is a colour, else what was transparent stays so.
 * Rejects where the browser cannot draw it in eight seconds.
 */
export async function drawnWithin(
  file: Blob,
  longest: number,
  ground?: string,
): Promise<Readonly<{ canvas: HTMLCanvasElement; pixels: number }>> {
  const picture = await bitmapOf(file);
  const { width, height } = picture;
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (context && ground) {
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return { canvas, pixels: width * height };
}

/** How long a browser may take to read one picture, in milliseconds: few bytes can be work for a minute. */
const longestReading = 8_000;

async function bitmapOf(file: Blob): Promise<ImageBitmap> {
  const reading = createImageBitmap(file, { imageOrientation: 'from-image' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, longestReading, new Error('too slow'));
  });
  // Nothing stops a browser that reads: what comes too late is let go.
  const race = Promise.race([reading, late]);
  race.catch(() => reading.then((picture) => picture.close())).catch(() => {});
  return race.finally(() => clearTimeout(timer));
}

/** How pictures are sent: `longest` pixels are enough to see a leak by; one of fewer bytes and pixels than these goes as it is. */
const sent = { longest: 2_048, bytes: 1024 * 1024, pixels: 2_048 * 2_048 } as const;

/**
 * A picture as it is sent, and as it was drawn for that: a large one as a JPEG in the size that is needed, on white as a JPEG has nothing to
 * shine through. One that cannot be drawn in time, or moves, is the server's to judge.
 */
export async function pictureToSend(
  file: Blob,
): Promise<Readonly<{ file: Blob; canvas: HTMLCanvasElement | null }>> {
  const head = new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer());
  const drawn = isMovingWebp(head) ? null : await drawnWithin(file, sent.longest, '#fff').catch(() => null);
  if (!drawn) return { file, canvas: null };
  const { canvas, pixels } = drawn;
  const hasManyPixels = pixels > sent.pixels;
  if (file.size <= sent.bytes && !hasManyPixels) return { file, canvas };
  const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
  return { file: smaller && (hasManyPixels || smaller.size < file.size) ? smaller : file, canvas };
}
