import { describe, expect, test } from 'vitest';
import {
  bomb,
  bytesOf,
  damagedPictures,
  hostileScript,
  jpeg,
  noPictures,
  pictureBomb,
  png,
  polyglots,
  secretOfCamera,
  webp,
  withExif,
} from '#tests/support/scenarios/files.ts';
import { isPicture, isWhole, redraw, sniff } from './picture.ts';

const asLogo = { side: 512, mostPixels: 4_096 * 4_096, type: 'image/webp' } as const;
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

test('what stood behind a picture is gone', async () => {
  for (const { name, bytes } of await polyglots()) {
    const drawn = await redraw(bytes, asLogo);
    expect(Buffer.from(drawn).includes(hostileScript), name).toBe(false);
  }
});

describe('there is no picture', () => {
  test('of a file that is damaged', async () => {
    for (const { name, bytes } of await damagedPictures()) {
      const type = sniff(bytes);
      if (!isPicture(type) || !isWhole(bytes, type)) continue;
      expect(await reasonOf(redraw(bytes, asLogo)), name).toBe('damaged');
    }
  });

  test('of a bomb, which is refused before any of it is unfolded', async () => {
    expect(bomb.bytes.length).toBeLessThan(100_000);
    expect(await reasonOf(redraw(bomb.bytes, asLogo))).toBe('too large');
    expect(await reasonOf(redraw(pictureBomb(4_097), asLogo))).toBe('too large');
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

test('its process sees nothing of ours', async () => {
  const child = await Bun.file(new URL('./picture-process.ts', import.meta.url)).text();
  expect(child).not.toMatch(/process\.env|Bun\.env|from '#/);
});

const pdf = bytesOf('%PDF-1.7\n', 'x'.repeat(3_000), '\n%%EOF\n');

test('the bytes tell what a file is', async () => {
  expect(sniff(png(2, 2))).toBe('image/png');
  expect(sniff(await jpeg(2, 2))).toBe('image/jpeg');
  expect(sniff(await webp(2, 2))).toBe('image/webp');
  expect(sniff(pdf)).toBe('application/pdf');
  expect(isPicture(sniff(pdf))).toBe(false);
});

test.each(noPictures)('$name is nothing that we take', ({ bytes }) => {
  expect(sniff(bytes)).toBeNull();
});

test('nor is an empty file, or one whose signature is cut off', () => {
  const cut = [bytesOf(''), bytesOf('RIFF'), bytesOf('RIFF1234WEB'), bytesOf('%PDF'), bytesOf('\x89PNG')];
  expect(cut.map(sniff)).toEqual([null, null, null, null, null]);
});

describe('a JPEG', () => {
  test('goes on to its end, whatever stands before and behind it', async () => {
    const whole = await jpeg(40, 30);
    expect(isWhole(whole, 'image/jpeg')).toBe(true);
    expect(isWhole(withExif(whole), 'image/jpeg')).toBe(true);
    expect(isWhole(bytesOf(whole, 'more'), 'image/jpeg')).toBe(true);
  });

  test('that is cut off anywhere is not whole, not even when its thumbnail is', async () => {
    const whole = await jpeg(40, 30);
    for (let length = 3; length < whole.length; length += 7) {
      expect(isWhole(whole.subarray(0, length), 'image/jpeg'), `${length} bytes`).toBe(false);
    }
    const thumbnail = bytesOf('\0\0', whole);
    const segment = Buffer.from([0xff, 0xe1, (thumbnail.length + 2) >> 8, (thumbnail.length + 2) & 0xff]);
    const cut = bytesOf(whole.subarray(0, 2), segment, thumbnail, whole.subarray(2, -40));
    expect(isWhole(cut, 'image/jpeg')).toBe(false);
  });
});

test('a PDF ends', () => {
  expect(isWhole(pdf, 'application/pdf')).toBe(true);
  expect(isWhole(pdf.subarray(0, 1_500), 'application/pdf')).toBe(false);
});

test('a decoder tells of the others', async () => {
  const names = (await damagedPictures()).filter(({ bytes }) => sniff(bytes) !== 'image/jpeg');
  expect(names.every(({ bytes }) => isWhole(bytes, 'image/png'))).toBe(true);
});
