import { describe, expect, test } from 'vitest';
import { type Drawing, isWholePdf, redraw as redrawFor } from '#api/businesses/picture.ts';
import {
  bomb,
  bytesOf,
  damagedPictures,
  greyAt,
  hostileScript,
  jpeg,
  jpegOfScans,
  lineDrawing,
  movingWebp,
  pictureBomb,
  png,
  polyglots,
  secretOfCamera,
  turnedJpeg,
  turnedPng,
  webp,
  withExif,
} from '#tests/support/scenarios/files.ts';
import { structureOf } from './picture-structure.ts';

const asLogo = { side: 512, mostPixels: 4_096 * 4_096, type: 'image/webp', ground: 'transparent' } as const;
const ours = { rank: 'member', source: null, businessId: 'acme' } as const;
const redraw = (bytes: Uint8Array, drawing: Drawing, timeout?: number) =>
  redrawFor(bytes, drawing, ours, timeout);
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height, format } = await new Bun.Image(bytes).metadata();
  return `${format} ${width}x${height}`;
};
const reasonOf = (drawn: Promise<unknown>) => drawn.then(String, (error) => error.reason ?? error.message);

test('a picture is drawn to fit, and a small one stays as it is', async () => {
  expect(await sizeOf(await redraw(png(900, 300), asLogo))).toBe('webp 512x171');
  expect(await sizeOf(await redraw(await webp(300, 900), asLogo))).toBe('webp 171x512');
  expect(await sizeOf(await redraw(await jpeg(40, 30), asLogo))).toBe('webp 40x30');
});

test('it may keep its kind', async () => {
  expect(await sizeOf(await redraw(png(40, 30), { ...asLogo, type: 'image/png' }))).toBe('png 40x30');
  expect(await sizeOf(await redraw(await jpeg(40, 30), { ...asLogo, type: 'image/jpeg' }))).toBe(
    'jpeg 40x30',
  );
});

test('it stands upright, and forgets what the camera wrote', async () => {
  const taken = withExif(await jpeg(400, 300));
  expect(Buffer.from(taken).includes(secretOfCamera)).toBe(true);
  const drawn = await redraw(taken, { ...asLogo, type: 'image/jpeg' });
  expect(await sizeOf(drawn)).toBe('jpeg 300x400');
  expect(Buffer.from(drawn).includes('GPS')).toBe(false);
  expect(Buffer.from(drawn).includes('Exif')).toBe(false);
});

test.each([2, 3, 4, 5, 6, 7, 8])(
  'a PNG and a JPEG of orientation %i stand upright alike',
  async (orientation) => {
    const drawing = { ...asLogo, type: 'image/png' } as const;
    const corners = bytesOf(await jpeg(64, 32));
    const upright = await new Bun.Image(turnedJpeg(corners, orientation)).png().bytes();
    const plain = bytesOf(await new Bun.Image(corners).png().bytes());
    const drawn = await redraw(turnedPng(plain, orientation), drawing);
    expect(await sizeOf(drawn)).toBe(orientation > 4 ? 'png 32x64' : 'png 64x32');
    expect(Buffer.from(drawn).equals(upright)).toBe(true);
  },
);

test('what a drawing shows through is white where it is asked for, and stays so otherwise', async () => {
  for (const type of ['image/png', 'image/webp', 'image/jpeg'] as const) {
    const drawn = await redraw(lineDrawing(64), { ...asLogo, type, ground: 'white' });
    expect([await greyAt(drawn, 2, 2), await greyAt(drawn, 32, 32)], type).toEqual([255, 0]);
  }
  const logo = await redraw(lineDrawing(64), { ...asLogo, type: 'image/png' });
  expect(structureOf(logo, 'image/png')).toMatchObject({ hasAlpha: true });
  expect(await greyAt(logo, 2, 2)).toBe(0);
});

test('what stood behind a picture is gone', async () => {
  for (const { name, bytes } of await polyglots()) {
    const drawn = await redraw(bytes, asLogo);
    expect(Buffer.from(drawn).includes(hostileScript), name).toBe(false);
  }
});

describe('there is no picture', () => {
  test('of a file that is damaged', async () => {
    for (const { name, bytes } of await damagedPictures()) {
      expect(await reasonOf(redraw(bytes, asLogo)), name).toBe('damaged');
    }
  });

  test('of a bomb, which is refused before any of it is unfolded', async () => {
    expect(bomb.bytes.length).toBeLessThan(100_000);
    expect(await reasonOf(redraw(bomb.bytes, asLogo))).toBe('too large');
    expect(await reasonOf(redraw(pictureBomb(4_097), asLogo))).toBe('too large');
  });

  test('of several that are shown one after the other', async () => {
    expect(await reasonOf(redraw(await movingWebp(), asLogo))).toBe('moving');
  });

  test('of one that is gone over again and again, which is refused before any of it is decoded', async () => {
    expect(await sizeOf(await redraw(await jpegOfScans(20), asLogo))).toBe('webp 64x64');
    expect(await reasonOf(redraw(await jpegOfScans(80), asLogo, 1))).toBe('too complex');
  });

  test('of one that takes too long: its process is ended', async () => {
    expect(await reasonOf(redraw(png(2_000, 2_000), asLogo, 1))).toBe('too slow');
  });
});

test('twenty may wait, the next is asked to come again', async () => {
  const small = png(8, 8);
  const all = await Promise.all(Array.from({ length: 22 }, () => reasonOf(redraw(small, asLogo))));
  expect(all.filter((reason) => reason.startsWith('Too many'))).toHaveLength(1);
}, 30_000);

test('a picture whose sender has gone is drawn no further', async () => {
  const gone = new AbortController();
  const sender = { ...ours, source: 'a', signal: gone.signal };
  const [drawn, waiting] = [1, 2].map(() =>
    redrawFor(png(2_000, 2_000), asLogo, sender).catch(({ status }) => status),
  );
  gone.abort();
  expect([await drawn, await waiting]).toEqual([408, 408]);
  expect(await sizeOf(await redraw(png(8, 8), asLogo))).toBe('webp 8x8');
});

test.each(['picture-process.ts', 'on-white.ts'])('its process sees nothing of ours: %s', async (file) => {
  const child = await Bun.file(new URL(file, import.meta.url)).text();
  expect(child).not.toMatch(/process\.env|Bun\.env|from '#/);
});

const pdf = bytesOf('%PDF-1.7\n', 'x'.repeat(3_000), '\n%%EOF\n');

test('a PDF ends, in the kilobyte before what it was padded with', () => {
  expect(isWholePdf(pdf)).toBe(true);
  expect(isWholePdf(bytesOf(pdf, new Uint8Array(5_000), '\r\n'))).toBe(true);
  expect(isWholePdf(pdf.subarray(0, 1_500))).toBe(false);
  expect(isWholePdf(bytesOf(pdf, 'more'.repeat(300)))).toBe(false);
  expect(isWholePdf(new Uint8Array(5_000))).toBe(false);
});
