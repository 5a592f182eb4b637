import { expect, test } from 'vitest';
import { bytesOf, jpeg, movingWebp, noPictures, pdf, png, webp } from '#tests/support/scenarios/files.ts';
import { fileTypeOf, isMovingWebp } from './file-types.ts';

test('the bytes tell what a file is', async () => {
  expect(fileTypeOf(png(2, 2))).toBe('image/png');
  expect(fileTypeOf(await jpeg(2, 2))).toBe('image/jpeg');
  expect(fileTypeOf(await webp(2, 2))).toBe('image/webp');
  expect(fileTypeOf(pdf)).toBe('application/pdf');
});

test.each(noPictures)('$name is nothing that we take', ({ bytes }) => {
  expect(fileTypeOf(bytes)).toBeNull();
});

test('nor is an empty file, or one whose signature is cut off', () => {
  const cut = [bytesOf(''), bytesOf('RIFF'), bytesOf('RIFF1234WEB'), bytesOf('%PDF'), bytesOf('\x89PNG')];
  expect(cut.map(fileTypeOf)).toEqual([null, null, null, null, null]);
});

test('a PDF may have blanks, NULs and a mark of its byte order before it, and nothing else', () => {
  const before = ['\r\n', ' \t\f', '\0'.repeat(1_024), '\ufeff', '\ufeff\r\n', '\n\ufeff'];
  expect(before.map((some) => fileTypeOf(bytesOf(some, pdf)))).toEqual(before.map(() => 'application/pdf'));
  const text = ['x', '<html>', '\n<script>alert(1)</script>\n', 'MZ', '\0'.repeat(1_025)];
  expect(text.map((some) => fileTypeOf(bytesOf(some, pdf)))).toEqual(text.map(() => null));
});

test('a WebP tells whether it moves', async () => {
  expect([isMovingWebp(await movingWebp()), isMovingWebp(await webp(2, 2))]).toEqual([true, false]);
});
