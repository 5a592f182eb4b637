import { describe, expect, test } from 'vitest';
import { damagedPictures, noPictures } from '#tests/support/hostile-files.ts';
import { bytesOf, jpeg, png, webp, withExif } from '#tests/support/pictures.ts';
import { isPicture, isWhole, sniff } from './sniff.ts';

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
