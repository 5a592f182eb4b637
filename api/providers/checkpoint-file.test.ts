import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteSigner, signNote, writeCheckpoint } from '#core/proof/note.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { checkpointFile, notesIn } from './checkpoint-file.ts';

const signers = [
  noteSigner('a.example/log/1', new Uint8Array(32).fill(1)),
  noteSigner('a.example/log/1', new Uint8Array(32).fill(2), 'cosignature'),
];
const note = (size: number) =>
  signNote(
    writeCheckpoint({ origin: 'a.example/log/1', size, root: new Uint8Array(32).fill(size) }),
    signers,
    new Date(0),
  );

let folder: ReturnType<typeof tempFolder>;
let file: string;
beforeEach(() => {
  folder = tempFolder('checkpoints');
  file = join(folder.path, 'kept', 'checkpoints.txt');
});
afterEach(() => folder.remove());

test('each note is added, and the newest is found however many there are', async () => {
  const outlet = checkpointFile(file);
  expect(await outlet.newest()).toBeNull();
  for (let size = 1; size <= 120; size += 1) await outlet.add(note(size));
  expect(await outlet.newest()).toBe(note(120));
  expect(notesIn(readFileSync(file, 'utf8'))).toEqual(Array.from({ length: 120 }, (_, n) => note(n + 1)));
});

test('half a note of a process that was killed is passed over, wherever it was cut', async () => {
  for (let end = 1; end < note(2).length - 1; end += 1) {
    writeFileSync(join(folder.path, 'cut.txt'), '');
    const outlet = checkpointFile(join(folder.path, 'cut.txt'));
    await outlet.add(note(1));
    appendFileSync(join(folder.path, 'cut.txt'), `\n\n${note(2).slice(0, end)}`);
    await outlet.add(note(3));
    const found = notesIn(readFileSync(join(folder.path, 'cut.txt'), 'utf8'));
    expect(found.at(0)).toBe(note(1));
    expect(found.at(-1)).toBe(note(3));
  }
});

test('a note is found in a mail that ends its lines otherwise, and in a file without an end of line', () => {
  expect(notesIn(`Keep this.\r\n\r\n${note(7).replaceAll('\n', '\r\n')}`)).toEqual([note(7)]);
  expect(notesIn(note(7).trimEnd())).toEqual([note(7)]);
  expect(notesIn('nothing of it\n')).toEqual([]);
});
