import { PictureError, redraw } from '#api/businesses/files/picture.ts';
import type { Deps } from '#api/deps.ts';

/** A thumbnail's longest side in pixels, and the smaller ones for pictures that are too detailed. */
const sides = [320, 240, 160] as const;
/** What a thumbnail may weigh, in bytes: a lead's five photos open in a second on a slow network. */
export const thumbnailBytes = 25_000;
const drawing = { mostPixels: 25_000_000, type: 'image/webp' } as const;

/**
 * The small pictures of customers' files, as WebP: each is made when it is first asked for, and stored beside its file. Null
 * where there is no file or it cannot be drawn. Throws OutageError while the store is unavailable, and 429 when too many wait.
 */
export function thumbnailsOf({ files }: Pick<Deps, 'files'>): (id: string) => Promise<Uint8Array | null> {
  const running = new Map<string, Promise<Uint8Array | null>>();

  async function make(id: string): Promise<Uint8Array | null> {
    const whole = await files.get(`media/${id}`);
    if (!whole) return null;
    const drawn = await small(whole);
    if (drawn) await files.put(`thumbs/${id}`, drawn, drawing.type);
    return drawn;
  }

  return async (id) => {
    const stored = await files.get(`thumbs/${id}`);
    if (stored) return stored;
    const made = running.get(id) ?? make(id).finally(() => running.delete(id));
    running.set(id, made);
    return made;
  };
}

async function small(whole: Uint8Array): Promise<Uint8Array | null> {
  let drawn: Uint8Array | null = null;
  for (const side of sides) {
    drawn = await redraw(whole, { ...drawing, side }).catch(unlessDamaged);
    if (drawn === null || drawn.length <= thumbnailBytes) break;
  }
  return drawn;
}

function unlessDamaged(error: unknown): null {
  if (error instanceof PictureError) return null;
  throw error;
}
