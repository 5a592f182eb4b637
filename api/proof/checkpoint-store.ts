import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BackupTarget, openTarget } from '#api/providers/backup-target.ts';
import type { ProofSettings } from '#api/runtime/config/proof.ts';
import type { BackupSettings } from '#api/runtime/config/storage.ts';
import { openNote } from '#core/crypto/note.ts';
import { type CheckpointOutlet, readCheckpoint } from '#core/proof/checkpoint.ts';

/** The place that `CHECKPOINTS_TO` names. Throws RangeError for a bucket without keys to reach it. */
export function openCheckpointStore(
  { to }: Pick<ProofSettings, 'to'>,
  access: Pick<BackupSettings, 's3'>,
): CheckpointStore {
  if (to.kind === 'folder') return checkpointFile(to.folder);
  return checkpointBucket(openTarget(to, access), `s3://${to.bucket}/${to.prefix}`, () => new Date());
}

const DAY = 24 * 60 * 60_000;

/**
 * A bucket with an object per checkpoint, under the moment at which it came: none is ever written twice, so that the bucket may lock
 * them.
 */
export function checkpointBucket(target: BackupTarget, where: string, now: () => Date): CheckpointStore {
  let last: Readonly<{ name: string; note: string }> | null = null;

  async function newestName(): Promise<string | undefined> {
    if (last) return (await target.list('checkpoint-', last.name)).at(-1) ?? last.name;
    for (const ago of [0, DAY]) {
      const names = await target.list(`checkpoint-${isoName(new Date(now().getTime() - ago)).slice(0, 10)}`);
      if (names.length > 0) return names.at(-1);
    }
    return (await target.list('checkpoint-')).at(-1);
  }

  return {
    where,
    async add(note) {
      const size = readCheckpoint(openNote(note, [])?.text ?? '')?.size ?? 0;
      const name = `checkpoint-${isoName(now())}-${size}.txt`;
      await target.put(name, Buffer.from(note));
      last = { name, note };
    },

    async newest() {
      const name = await newestName();
      if (name === undefined) return null;
      if (last?.name !== name) last = { name, note: await textOf(target, name) };
      return last.note;
    },

    async recent(most) {
      return textsOf(target, (await target.list('checkpoint-')).slice(-most));
    },

    async all() {
      const names = await target.list('checkpoint-');
      const since = `checkpoint-${isoName(new Date(now().getTime() - 2 * DAY))}`;
      const lastOfDays = new Map(names.map((name) => [dayOf(name), name]));
      const chosen = names.filter((name) => name >= since || lastOfDays.get(dayOf(name)) === name);
      return names.length === 0 ? null : textsOf(target, chosen);
    },
  };
}

async function textsOf(target: BackupTarget, names: readonly string[]): Promise<string> {
  const notes: string[] = [];
  for (const name of names) notes.push(await textOf(target, name));
  return notes.join('\n\n');
}

const dayOf = (name: string) => name.slice(0, 'checkpoint-2026-11-24'.length);

async function textOf(target: BackupTarget, name: string): Promise<string> {
  return Buffer.from((await target.get(name)) ?? []).toString('utf8');
}

/** In the order of time, and without what names of objects may not have. */
function isoName(at: Date): string {
  return at.toISOString().replaceAll(':', '-');
}

/** A place for checkpoints that can be read back. `where` names it, for operators. */
type CheckpointStore = CheckpointOutlet &
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
