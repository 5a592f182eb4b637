import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CheckpointOutlet } from '#core/proof/note.ts';

/** A place for checkpoints that can be read back. `where` names it, for operators. */
export type CheckpointStore = CheckpointOutlet &
  Readonly<{
    where: string;
    /** The newest `most` notes, oldest first, with empty lines between; empty when there are none. */
    recent(most: number): Promise<string>;
    /**
     * All that is there, as text, to be compared with a log; of a bucket what came in the last two days and the last of each day before.
     * Null where nothing was ever written.
     */
    all(): Promise<string | null>;
  }>;

/** A note with its signatures is far below this. */
const TAIL_BYTES = 16_384;

/** A file that checkpoints are added to and never taken from: notes one after the other, empty lines between them. */
export function checkpointFile(file: string): CheckpointStore {
  return {
    where: file,
    async add(note) {
      await mkdir(dirname(file), { recursive: true });
      // The empty lines part it from half a note, which a process that was killed while it wrote may have left.
      await appendFile(file, `\n\n${note}`, { flush: true });
    },

    async newest() {
      return (await readTail(file)).at(-1) ?? null;
    },

    async recent(most) {
      return notesIn((await readWhole(file)) ?? '')
        .slice(-most)
        .join('\n\n');
    },

    all: () => readWhole(file),
  };
}

function readWhole(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function readTail(file: string): Promise<string[]> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return [];
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return notesIn(buffer.toString('utf8'));
  } finally {
    await handle.close();
  }
}

/** The notes in a text, oldest first: of such a file, or of a mail's attachment. A note begins with lines of text, and ends with the last of its signatures. */
export function notesIn(text: string): string[] {
  return [...text.replaceAll('\r\n', '\n').matchAll(/(?:^(?!— ).+\n)+\n(?:^— .+\n?)+/gmu)].map(([note]) =>
    note.endsWith('\n') ? note : `${note}\n`,
  );
}
