import type { Pool } from 'pg';
import type { BackupTarget } from '#api/providers/backup/target.ts';
import type { FileKey, FileStore } from '#api/providers/files.ts';
import type { FilesPart } from './manifest.ts';
import { digestOf, nameOfInstant, type ObjectWriter, type StoredObject } from './objects.ts';

/** A file as the list of files has it: an object of the target, and where the store of files has it. */
export type StoredFile = StoredObject & Readonly<{ key: FileKey }>;

/**
 * Writes each file once, and removes those that the product has removed. Small pictures are drawn again when they are
 * asked for. Answers `previous` itself when nothing has changed. A file whose bytes are not there yet comes with a later call.
 */
export async function writeFiles(
  {
    pool,
    files,
    target,
    writer,
  }: Readonly<{ pool: Pool; files: FileStore; target: BackupTarget; writer: ObjectWriter }>,
  previous: FilesPart | null,
  at: Date,
): Promise<FilesPart> {
  const { rows } = await pool.query<{ key: FileKey }>(
    `select case kind when 'logo' then 'logos/' else 'media/' end || id as key from state.files order by id`,
  );
  const stored = new Map((await readFileList(target, previous)).map((file) => [file.key, file]));
  const wanted = new Set(rows.map(({ key }) => key));
  const gone = [...stored.values()].filter(({ key }) => !wanted.has(key));
  const missing = [...wanted].filter((key) => !stored.has(key));
  const written: StoredFile[] = [];
  for (const key of missing) {
    const bytes = await files.get(key);
    if (bytes) written.push({ ...(await writer.sealed(`files/${key}.age`, bytes)), key });
  }
  for (const { name } of gone) await target.remove(name);
  if (previous && gone.length + written.length === 0) return previous;
  const kept = [...stored.values()].filter(({ key }) => wanted.has(key));
  const list = await Bun.zstdCompress(JSON.stringify([...kept, ...written]));
  return {
    count: kept.length + written.length,
    list: await writer.open(`file-lists/${nameOfInstant(at)}.json.zst`, list),
  };
}

/** What the newest list names; nothing where it is missing or was changed, then every file is written again. */
export async function readFileList(target: BackupTarget, part: FilesPart | null): Promise<StoredFile[]> {
  const bytes = part && (await target.get(part.list.name));
  if (!bytes || digestOf(bytes) !== part.list.sha256) return [];
  return JSON.parse((await Bun.zstdDecompress(bytes)).toString('utf8')) as StoredFile[];
}
