import { PictureError, redraw } from '#api/businesses/picture.ts';
import type { Deps } from '#api/deps.ts';
import { subjectOfFile } from '#api/providers/sealed-files.ts';

/** A thumbnail's longest side in pixels, and the smaller ones for pictures that are too detailed. */
const sides = [320, 240, 160, 80] as const;
/** What a thumbnail may weigh, in bytes: a lead's five photos open in a second on a slow network. */
const thumbnailBytes = 25_000;
const drawing = { mostPixels: 25_000_000, type: 'image/webp', ground: 'white' } as const;

type Pictured = Readonly<{ id: string; businessId: string; jobId: string | null }>;

/** Stored in place of a thumbnail that cannot be drawn: one damaged picture is decoded once, not at each look at its job. */
const undrawable = new Uint8Array();

/**
 * The small pictures of customers' files, as WebP: each is made when it is first asked for, and stored beside its file; the small pictures of one business take turns with those of others. Null
 * where there is no file or it cannot be drawn. Throws OutageError while the store is unavailable, and 429 when too many wait.
 */
export function thumbnailsOf({
  config,
  files,
}: Pick<Deps, 'config' | 'files'>): (file: Pictured) => Promise<Uint8Array | null> {
  const running = new Map<string, Promise<Uint8Array | null>>();

  async function make({ id, businessId, jobId }: Pictured): Promise<Uint8Array | null> {
    const whole = await files.get(`media/${id}`);
    if (!whole) return null;
    const drawn = await small(whole, {
      rank: 'member',
      source: config.rateLimits === 'off' ? null : businessId,
      businessId,
    });
    if (drawn === 'too slow') return null;
    await files.put(`thumbs/${id}`, drawn ?? undrawable, drawing.type, subjectOfFile({ id, jobId }));
    // Its file may have been removed meanwhile, and the thumbnail that was there by then: this one came too late.
    if (await files.get(`media/${id}`)) return drawn;
    await files.remove(`thumbs/${id}`);
    return null;
  }

  return async (file) => {
    const { id } = file;
    const stored = await files.get(`thumbs/${id}`);
    if (stored) return stored.length > 0 ? stored : null;
    const made = running.get(id) ?? make(file).finally(() => running.delete(id));
    running.set(id, made);
    return made;
  };
}

/** Null where there is nothing to draw; a picture that was too slow may be drawn on a quieter machine. */
async function small(
  whole: Uint8Array,
  sender: Parameters<typeof redraw>[2],
): Promise<Uint8Array | 'too slow' | null> {
  for (const side of sides) {
    const drawn = await redraw(whole, { ...drawing, side }, sender).catch(asOutcome);
    if (drawn === null || drawn === 'too slow' || drawn.length <= thumbnailBytes) return drawn;
  }
  return null;
}

function asOutcome(error: unknown): 'too slow' | null {
  if (error instanceof PictureError) return error.reason === 'too slow' ? 'too slow' : null;
  throw error;
}
