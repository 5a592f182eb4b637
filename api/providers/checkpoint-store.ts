import type { BackupSettings } from '#api/runtime/config/backup.ts';
import type { ProofSettings } from '#api/runtime/config/proof.ts';
import { openNote, readCheckpoint } from '#core/proof/note.ts';
import { openTarget } from './backup/open-target.ts';
import type { BackupTarget } from './backup/target.ts';
import { type CheckpointStore, checkpointFile } from './checkpoint-file.ts';

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
