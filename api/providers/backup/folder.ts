import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { OutageError } from '#core/kernel/errors.ts';
import { assertObjectName, type BackupTarget, inTime, LateError } from './target.ts';

/** Ends the name of an object that is still being written. */
const ASIDE = '.writing';

/** How long the disk may take for one object, in milliseconds. */
const TIMEOUT = 60_000;

export type FolderOptions = Readonly<{
  timeoutMs?: number;
  /** Fills a new file: for tests of a disk that is full. */
  fill?: (file: FileHandle, bytes: Uint8Array) => Promise<void>;
}>;

/** A folder, such as that of a disk which is mounted for backups; readable by this account alone. */
export function folderTarget(
  folder: string,
  { timeoutMs = TIMEOUT, fill = (file, bytes) => file.writeFile(bytes) }: FolderOptions = {},
): BackupTarget {
  const pathOf = (name: string) => {
    assertObjectName(name);
    return join(folder, name);
  };
  // Each call to a disk that hangs holds a thread of this process: one at a time does.
  let hanging = false;
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    if (hanging) throw new OutageError('the folder of the backup hangs');
    const asked = work();
    try {
      return await inTime(asked, timeoutMs);
    } catch (error) {
      if (error instanceof LateError) {
        hanging = true;
        const back = () => {
          hanging = false;
        };
        asked.then(back, back);
      }
      return unavailable(error);
    }
  };
  return {
    put: (name, bytes) => ask(() => write(pathOf(name), bytes, fill)),
    get: (name) => ask(() => read(pathOf(name))),
    async list(prefix, after = '') {
      const start = dirname(`${prefix}x`);
      const names = await ask(() => namesIn(join(folder, start)));
      return names
        .map((path) => relative(folder, path).replaceAll('\\', '/'))
        .filter((name) => name.startsWith(prefix) && name > after && !name.endsWith(ASIDE))
        .sort();
    },
    remove: (name) => ask(() => rm(pathOf(name), { force: true })),
  };
}

/** Written aside, made durable and renamed into place: a reader sees all of it or nothing, also after a power cut. */
async function write(path: string, bytes: Uint8Array, fill: Required<FolderOptions>['fill']): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = `${path}.${randomUUID()}${ASIDE}`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await fill(file, bytes);
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
