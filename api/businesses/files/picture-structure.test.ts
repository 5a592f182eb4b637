import { describe, expect, test } from 'vitest';
import {
  bytesOf,
  jpeg,
  jpegOfScans,
  lineDrawing,
  movingWebp,
  pictureBomb,
  png,
  turnedPng,
  webp,
  withExif,
} from '#tests/support/scenarios/files.ts';
import { mostTables, structureOf } from './picture-structure.ts';

/** The beginning of a JPEG of 8 by 8 pixels. */
const frame = Buffer.from([0xff, 0xc0, 0, 8, 8, 0, 8, 0, 8, 1]);
const still = { pixels: 1_200, orientation: 1, hasAlpha: false, isMoving: false, scans: 1 };

test('a picture says how large it is, and what is special about it', async () => {
  expect(structureOf(png(40, 30), 'image/png')).toMatchObject(still);
  expect(structureOf(await jpeg(40, 30), 'image/jpeg')).toMatchObject(still);
  expect(structureOf(await webp(40, 30), 'image/webp')).toMatchObject({ pixels: 1_200 });
  expect(structureOf(pictureBomb(16_000), 'image/png')).toMatchObject({ pixels: 256_000_000 });
  expect(structureOf(lineDrawing(8), 'image/png')).toMatchObject({ pixels: 64, hasAlpha: true });
  const lossless = await new Bun.Image(lineDrawing(8)).webp({ lossless: true }).bytes();
  expect(structureOf(lossless, 'image/webp')).toMatchObject({ pixels: 64, hasAlpha: true });
  expect(structureOf(await movingWebp(), 'image/webp')).toMatchObject({ pixels: 64, isMoving: true });
  const [few, many] = [await jpegOfScans(0), await jpegOfScans(50)].map((one) =>
    structureOf(one, 'image/jpeg'),
  );
  expect((many?.scans ?? 0) - (few?.scans ?? 0)).toBe(50);
});

test('the orientation of a PNG is read, and a senseless one is not', () => {
  const orientations = [0, 1, 6, 8, 9].map(
    (one) => structureOf(turnedPng(png(8, 8), one), 'image/png')?.orientation,
  );
  expect(orientations).toEqual([1, 1, 6, 8, 1]);
});

describe('a JPEG', () => {
  test('goes on to its end, whatever stands before and behind it', async () => {
    const whole = await jpeg(40, 30);
    for (const one of [whole, withExif(whole), bytesOf(whole, 'more')])
      expect(structureOf(one, 'image/jpeg')).toMatchObject(still);
  });

  test('that is cut off anywhere is not whole, not even when its thumbnail is', async () => {
    const whole = await jpeg(40, 30);
    for (let length = 3; length < whole.length; length += 7) {
      expect(structureOf(whole.subarray(0, length), 'image/jpeg'), `${length} bytes`).toBeNull();
    }
    const thumbnail = bytesOf('\0\0', whole);
    const segment = Buffer.from([0xff, 0xe1, (thumbnail.length + 2) >> 8, (thumbnail.length + 2) & 0xff]);
    const cut = bytesOf(whole.subarray(0, 2), segment, thumbnail, whole.subarray(2, -40));
    expect(structureOf(cut, 'image/jpeg')).toBeNull();
  });
});

test('a picture that ends before what it announces is none', async () => {
  for (const [one, type] of [
    [png(8, 8), 'image/png'],
    [await webp(8, 8), 'image/webp'],
  ] as const)
    for (const length of [8, 12, 16, 20, 24]) expect(structureOf(one.subarray(0, length), type)).toBeNull();
});

test('of a picture with endless tables or notes no more are counted than are refused', () => {
  const table = Buffer.from([0xff, 0xc4, 0, 2]);
  const tables = bytesOf(Buffer.from([0xff, 0xd8]), ...Array.from({ length: 300 }, () => table));
  const empty = bytesOf(...Array.from({ length: 300 }, () => Buffer.from('\0\0\0\0tEXt\0\0\0\0')));
  const notes = bytesOf(png(8, 8).subarray(0, 33), empty, png(8, 8).subarray(33));
  expect(structureOf(notes, 'image/png')?.tables).toBe(mostTables + 1);
  const endless = bytesOf(tables.subarray(0, 2), frame, tables.subarray(2));
  expect(structureOf(endless, 'image/jpeg')?.tables).toBe(mostTables + 1);
});
