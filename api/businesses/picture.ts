import { clientGone } from '#api/http/gate.ts';
import { fileTypeOf } from '#core/values/file-types.ts';
import { isPictureType, type PictureType, type pictureProblems } from '#core/values/uploads.ts';
import { mostTables, type PictureStructure, structureOf } from './files/picture-structure.ts';
import { createPictureTurns, type PictureSender } from './files/picture-turns.ts';

const PROCESS = new URL('./files/picture-process.ts', import.meta.url).pathname;
/** How long one picture may take, in milliseconds. */
const timeouts: Readonly<Record<PictureSender['rank'], number>> = { member: 10_000, stranger: 5_000 };
const TOO_MANY_PIXELS = 10;

const turns = createPictureTurns();

/** Scans that no camera and no program for saving pictures comes near, and pixels to go over in all of them together. */
const mostOf = { scans: 64, work: 500_000_000 } as const;

/**
 * How a picture is drawn anew: to fit a square of `side` pixels, refused above `mostPixels` of width times height. `ground`: what shines
 * through stays so, or is white as the paper of a drawing.
 */
export type Drawing = Readonly<{
  side: number;
  mostPixels: number;
  type: PictureType;
  ground: 'white' | 'transparent';
}>;

/** Why there is no picture: the sender may read it. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
  constructor(readonly reason: keyof typeof pictureProblems) {
    super(`the picture is ${reason}`);
  }
}

/**
 * The picture alone, upright: no EXIF, no position, no bytes before or behind it. Refused by what it says of itself before it is decoded,
 * and drawn in a process of its own, so that one which hangs or kills its decoder takes nothing else with it. Throws `PictureError`,
 * 429 when too many wait or the sender has had its time, and 408 once the client has gone, whose process is ended then.
 */
export async function redraw(
  bytes: Uint8Array,
  drawing: Drawing,
  sender: PictureSender,
  timeout = timeouts[sender.rank],
): Promise<Uint8Array> {
  const { side, mostPixels, type, ground } = drawing;
  const { orientation, hasAlpha } = judged(bytes, mostPixels);
  const isLaid = hasAlpha && ground === 'white';
  const { signal } = sender;
  return turns.run(sender, async (spend) => {
    const how = [side, mostPixels, type, orientation, isLaid ? ground : ''].map(String);
    const child = Bun.spawn([process.execPath, PROCESS, ...how], {
      stdin: bytes,
      stdout: 'pipe',
      stderr: 'ignore',
      env: {},
      timeout,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    });
    const [drawn, code] = await Promise.all([new Response(child.stdout).bytes(), child.exited]);
    spend(Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000);
    if (signal?.aborted) throw clientGone();
    if (child.signalCode === 'SIGKILL') throw new PictureError('too slow');
    if (code === TOO_MANY_PIXELS) throw new PictureError('too large');
    if (code !== 0 || fileTypeOf(drawn) !== type) throw new PictureError('damaged');
    return drawn;
  });
}

function judged(bytes: Uint8Array, mostPixels: number): PictureStructure {
  const type = fileTypeOf(bytes);
  const structure = isPictureType(type) ? structureOf(bytes, type) : null;
  if (structure === null) throw new PictureError('damaged');
  const { pixels, scans, tables, isMoving } = structure;
  if (isMoving) throw new PictureError('moving');
  if (pixels > mostPixels) throw new PictureError('too large');
  if (scans > mostOf.scans || tables > mostTables || scans * pixels > mostOf.work)
    throw new PictureError('too complex');
  return structure;
}

/**
 * Whether a PDF goes on to its end, where its readers look for it: in the last kilobyte, but for the blanks and NULs that it was padded
 * with. What decodes a picture tells of one by itself.
 */
export function isWholePdf(bytes: Uint8Array): boolean {
  let end = bytes.length;
  while (end > 0 && PADDING.has(bytes[end - 1] as number)) end -= 1;
  return String.fromCharCode(...bytes.subarray(Math.max(0, end - 1_024), end)).includes('%%EOF');
}

const PADDING = new Set([...'\0\t\n\f\r '].map((sign) => sign.charCodeAt(0)));
