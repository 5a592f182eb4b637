import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { readIfThere, writeAside } from '#api/providers/files.ts';
import type { BackupPlace, BackupSettings } from '#api/runtime/config/storage.ts';
import { OutageError } from '#core/kernel/errors.ts';

/**
 * Where a backup is written: objects under names such as `log/1/0-19999.ndjson.zst.age`, each whole or absent. Every method
 * throws `OutageError` when the target is unavailable, full or refuses.
 */
export type BackupTarget = Readonly<{
  /** Stores an object, and replaces one of this name. Durable once it resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is no object of this name. */
  get(name: string): Promise<Uint8Array | null>;
  /** The names that begin with `prefix` and come after `after`, in order. */
  list(prefix: string, after?: string): Promise<string[]>;
  /** Removing what is not there does nothing. */
  remove(name: string): Promise<void>;
}>;

const NAME = /^(?!\.)[A-Za-z0-9._-]+(?:\/(?!\.)[A-Za-z0-9._-]+)*$/;

/** Throws RangeError unless it is a name that a backup makes: no path leads out of the target. */
function assertObjectName(name: string): void {
  if (!NAME.test(name)) throw new RangeError('not the name of an object of a backup');
}

/** Something has not answered in its time, and may still do. */
class LateError extends Error {
  override readonly name = 'LateError';
}

/** Rejects with `LateError` after `milliseconds`; the work itself goes on. */
function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new LateError('took too long')), milliseconds);
  work.then(resolve, reject);
  return promise.finally(() => clearTimeout(timer));
}

/** The target at a place. Throws RangeError for a bucket without keys to reach it. */
export function openTarget(place: BackupPlace, { s3 }: Pick<BackupSettings, 's3'>): BackupTarget {
  if (place.kind === 'folder') return folderTarget(place.folder);
  if (s3 === null) throw new RangeError('a bucket needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  return s3Target(place, s3);
}

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
    get: (name) => ask(() => readIfThere(pathOf(name))),
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

/** As `writeAside`, and its name is durable too. */
async function write(path: string, bytes: Uint8Array, fill: Required<FolderOptions>['fill']): Promise<void> {
  await writeAside(path, `${path}.${randomUUID()}${ASIDE}`, (file) => fill(file, bytes));
  await syncFolder(dirname(path));
}

/** Makes a rename durable; some file systems refuse to open a folder for that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
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

/** How to reach buckets; which bucket, the target's address says. */
export type S3Access = Readonly<{
  region: string;
  /** Of a store other than Amazon's. */
  endpoint?: string;
  accessKeyId: string;
  secretAccessKey: string;
}>;

/** A bucket, and in it what begins with `prefix`, such as `ute/`; an empty one takes all of the bucket. */
export function s3Target(
  { bucket, prefix }: Readonly<{ bucket: string; prefix: string }>,
  access: S3Access,
  timeout = TIMEOUT,
): BackupTarget {
  const client = new Bun.S3Client({ ...access, bucket, retry: 2 });
  const keyOf = (name: string) => {
    assertObjectName(name);
    return `${prefix}${name}`;
  };
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await inTime(work(), timeout);
    } catch (cause) {
      throw new OutageError('the bucket of the backup is unavailable or refuses', { cause });
    }
  };
  return {
    async put(name, bytes) {
      const key = keyOf(name);
      await ask(() => client.write(key, bytes, { type: 'application/octet-stream' }));
    },
    get(name) {
      const key = keyOf(name);
      return ask(() =>
        client
          .file(key)
          .bytes()
          .catch((error: unknown) => {
            if ((error as { code?: string }).code === 'NoSuchKey') return null;
            throw error;
          }),
      );
    },
    async list(wanted, after = '') {
      const names: string[] = [];
      for (let startAfter = after === '' ? undefined : `${prefix}${after}`; ; ) {
        const page = await ask(() =>
          client.list({
            ...{ prefix: `${prefix}${wanted}`, maxKeys: 1_000 },
            ...(startAfter === undefined ? {} : { startAfter }),
          }),
        );
        const keys = (page.contents ?? []).map(({ key }) => key);
        names.push(...keys.map((key) => key.slice(prefix.length)));
        startAfter = keys.at(-1);
        if (!page.isTruncated || startAfter === undefined) return names.sort();
      }
    },
    async remove(name) {
      const key = keyOf(name);
      await ask(() => client.delete(key));
    },
  };
}
