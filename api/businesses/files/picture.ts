import { createGate } from '#api/http/limits.ts';
import { type PictureType, sniff } from './sniff.ts';

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
