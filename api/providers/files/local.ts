import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OutageError } from '#core/kernel/errors.ts';
import { assertFileKey, type FileStore } from './files.ts';

/** Files on this machine's disk, readable by this account alone. For one machine: several need a store that they share. */
export function localFiles(folder: string): FileStore {
  const pathOf = (key: string) => {
    assertFileKey(key);
    return join(folder, key);
  };
  return {
    put: (key, bytes) => write(pathOf(key), bytes).catch(unavailable),
    get: (key) => read(pathOf(key)).catch(unavailable),
    remove: (key) => rm(pathOf(key), { force: true }).catch(unavailable),
  };
}

/** Written aside and renamed into place: a reader sees all of it or nothing, also after a power cut. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${randomUUID()}`;
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
}

async function read(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function unavailable(cause: unknown): never {
  throw new OutageError('the disk of files is unavailable or full', { cause });
}
