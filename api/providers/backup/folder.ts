import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { OutageError } from '#core/kernel/errors.ts';
import { assertObjectName, type BackupTarget } from './target.ts';

/** Ends the name of an object that is still being written. */
const ASIDE = '.writing';

/** A folder, such as that of a disk which is mounted for backups; readable by this account alone. */
export function folderTarget(folder: string): BackupTarget {
  const pathOf = (name: string) => {
    assertObjectName(name);
    return join(folder, name);
  };
  return {
    put: (name, bytes) => write(pathOf(name), bytes).catch(unavailable),
    get: (name) => read(pathOf(name)).catch(unavailable),
    async list(prefix, after = '') {
      const start = dirname(`${prefix}x`);
      const names = await namesIn(join(folder, start)).catch(unavailable);
      return names
        .map((path) => relative(folder, path).replaceAll('\\', '/'))
        .filter((name) => name.startsWith(prefix) && name > after && !name.endsWith(ASIDE))
        .sort();
    },
    remove: (name) => rm(pathOf(name), { force: true }).catch(unavailable),
  };
}

/** Written aside, made durable and renamed into place: a reader sees all of it or nothing, also after a power cut. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = `${path}.${randomUUID()}${ASIDE}`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Makes a rename durable; some file systems refuse to open a folder for that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function read(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function unavailable(cause: unknown): never {
  if (cause instanceof RangeError) throw cause;
  throw new OutageError('the folder of the backup is unavailable or full', { cause });
}
