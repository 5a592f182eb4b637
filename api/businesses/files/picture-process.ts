import { constants, setPriority } from 'node:os';
import { onWhite } from './on-white.ts';

// A process of its own (see picture.ts): a picture on stdin, drawn anew on stdout. It has no secrets and imports nothing of ours but this.

const [side = '', mostPixels = '', format = '', orientation = '1', ground = ''] = process.argv.slice(2);
/** What the exit code says of a picture that cannot be drawn. */
const exits = { ERR_IMAGE_TOO_MANY_PIXELS: 10 } as const;
const DAMAGED = 11;
const QUALITY = 85;

/** How a picture of each orientation is turned, in degrees, and then mirrored: `flop` left to right, `flip` upside down. */
const turns: Readonly<Record<string, readonly [degrees: number, mirror?: 'flip' | 'flop']>> = {
  ...{ 2: [0, 'flop'], 3: [180], 4: [0, 'flip'] },
  ...{ 5: [90, 'flop'], 6: [90], 7: [90, 'flip'], 8: [270] },
};

// Requests for pages come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  const upright = new Bun.Image(await Bun.stdin.bytes(), { maxPixels: Number(mostPixels) });
  const [degrees, mirror] = turns[orientation] ?? [0];
  if (degrees > 0) upright.rotate(degrees);
  if (mirror) upright[mirror]();
  upright.resize(Number(side), Number(side), { fit: 'inside', withoutEnlargement: true });
  const picture =
    ground === 'white' ? new Bun.Image(onWhite(await upright.png({ compressionLevel: 0 }).bytes())) : upright;
  if (format === 'image/png') picture.png();
  else if (format === 'image/jpeg') picture.jpeg({ quality: QUALITY });
  else picture.webp({ quality: QUALITY });
  await Bun.write(Bun.stdout, await picture.bytes());
} catch (error) {
  const code = (error as { code?: string }).code ?? '';
  process.exitCode = exits[code as keyof typeof exits] ?? DAMAGED;
}
