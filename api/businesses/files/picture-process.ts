import { constants, setPriority } from 'node:os';

// A process of its own (see picture.ts): a picture on stdin, drawn anew on stdout. It has no secrets and imports nothing.

const [side = '', mostPixels = '', format = ''] = process.argv.slice(2);
/** What the exit code says of a picture that cannot be drawn. */
const exits = { ERR_IMAGE_TOO_MANY_PIXELS: 10 } as const;
const DAMAGED = 11;
const QUALITY = 85;

// Requests for pages come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  const picture = new Bun.Image(await Bun.stdin.bytes(), { maxPixels: Number(mostPixels) }).resize(
    Number(side),
    Number(side),
    { fit: 'inside', withoutEnlargement: true },
  );
  if (format === 'image/png') picture.png();
  else if (format === 'image/jpeg') picture.jpeg({ quality: QUALITY });
  else picture.webp({ quality: QUALITY });
  await Bun.write(Bun.stdout, await picture.bytes());
} catch (error) {
  const code = (error as { code?: string }).code ?? '';
  process.exitCode = exits[code as keyof typeof exits] ?? DAMAGED;
}
