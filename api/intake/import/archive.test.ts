import { expect, test } from 'vitest';
import { linesOf } from './archive.ts';

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 3, 1_000_000])('lines end by a line feed alone, in chunks of %i bytes', async (size) => {
  const text = 'one\u2028still\u2029one\u0085\n\n{"two":"\u6c34"}\r\nlast';
  const lines = await Array.fromAsync(linesOf(inChunks(text, size)));
  expect(lines).toEqual(['one\u2028still\u2029one\u0085', '{"two":"\u6c34"}\r', 'last']);
});

test('a line of more than a megabyte is no line, and the next one is', async () => {
  const most = 'x'.repeat(1024 * 1024);
  const lines = await Array.fromAsync(linesOf(inChunks(`${most}\n${most}y\nafter`, 65_536)));
  expect(lines.map((line) => line?.length ?? null)).toEqual([most.length, null, 5]);
});
