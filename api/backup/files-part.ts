import type { Pool } from 'pg';
import type { BackupTarget } from '#api/providers/backup-target.ts';
import type { FileKey, FileStore } from '#api/providers/files.ts';
import type { FilesPart } from './manifest.ts';
import { digestOf, nameOfInstant, type ObjectWriter, type StoredObject } from './objects.ts';

/** A file as the list of files has it: an object of the target, and where the store of files has it. */
export type StoredFile = StoredObject &
  Readonly<{
    key: FileKey;
    /** Under whose key it is sealed; null or absent for one that is not. */
    sealedFor?: string | null;
    /** The object from before it was sealed under this key. Its manifest may be the newest one until the next list names this. */
    replaces?: string;
  }>;

type FilesSources = Readonly<{
  pool: Pool;
  files: FileStore;
  target: BackupTarget;
  writer: ObjectWriter;
  /** Those that an earlier call wrote whose list is in no manifest; this one adds its own. */
  unlisted: Map<FileKey, StoredFile>;
}>;

/**
 * Writes each file once, and again once it is sealed under another key; removes those that the product has removed. Small pictures are drawn again when they are
 * asked for. Answers `previous` itself when nothing has changed. A file whose bytes are not there yet comes with a later call.
 */
export async function writeFiles(
  { pool, files, target, writer, unlisted }: FilesSources,
  previous: FilesPart | null,
  at: Date,
): Promise<FilesPart> {
  const { rows } = await pool.query<{ key: FileKey; sealedFor: string | null }>(
    `select case kind when 'logo' then 'logos/' else 'media/' end || id as key, sealed_for as "sealedFor"
     from state.files order by id`,
  );
  const stored = new Map((await readFileList(target, previous)).map((file) => [file.key, file]));
  const wanted = new Set(rows.map(({ key }) => key));
  const gone = [...stored.values(), ...unlisted.values()].filter(({ key }) => !wanted.has(key));
  const written = new Map<FileKey, StoredFile>();
  for (const { key, sealedFor } of rows) {
    const known = stored.get(key);
    if (known && (known.sealedFor ?? null) === sealedFor) continue;
    let file = unlisted.get(key);
    if (file?.sealedFor !== sealedFor) {
      const bytes = await files.get(key);
      if (!bytes) continue;
      const name = sealedFor === null ? `files/${key}.age` : `files/${key}.${kindOf(sealedFor)}.age`;
      file = { ...(await writer.sealed(name, bytes)), key, sealedFor };
      unlisted.set(key, file);
    }
    written.set(key, { ...file, ...(known && { replaces: known.name }) });
  }
  const replaced = [...stored.values()].filter(({ replaces }) => replaces !== undefined);
  const obsolete = [...gone.map(({ name }) => name), ...replaced.flatMap(({ replaces }) => replaces ?? [])];
  for (const name of obsolete) await target.remove(name);
  for (const { key } of gone) unlisted.delete(key);
  if (previous && gone.length + written.size + replaced.length === 0) return previous;
  const kept = [...stored.values()]
    .filter(({ key }) => wanted.has(key) && !written.has(key))
    .map(({ replaces: _, ...file }) => file);
  const list = await Bun.zstdCompress(JSON.stringify([...kept, ...written.values()]));
  return {
    count: kept.length + written.size,
    list: await writer.open(`file-lists/${nameOfInstant(at)}.json.zst`, list),
  };
}

/** What the newest list names; nothing where it is missing or was changed, then every file is written again. */
export async function readFileList(target: BackupTarget, part: FilesPart | null): Promise<StoredFile[]> {
  const bytes = part && (await target.get(part.list.name));
  if (!bytes || digestOf(bytes) !== part.list.sha256) return [];
  return JSON.parse((await Bun.zstdDecompress(bytes)).toString('utf8')) as StoredFile[];
}

/** `upload` or `customer`: in the name, so that the object from before stays until no newest list names it. */
const kindOf = (subject: string) => subject.slice(0, subject.indexOf('-'));
