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
 * what else was in the file. The size of a small one stays. Rejects where the browser cannot draw it.
 */
export async function drawnWithin(file: Blob, longest: number): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas;
}

/** How pictures are sent: `longest` pixels are enough to see a leak by; one of fewer than `small` bytes goes as it is. */
export const sentPictures = { longest: 2048, small: 1024 * 1024 } as const;

/** The file, or what was drawn of it as a JPEG where that has fewer bytes. */
export async function smallerOf(file: Blob, canvas: HTMLCanvasElement): Promise<Blob> {
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
  return drawn && drawn.size < file.size ? drawn : file;
}
