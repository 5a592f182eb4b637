import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileSettings } from '#api/runtime/config/storage.ts';
import { OutageError } from '#core/kernel/errors.ts';

/**
 * Bytes under keys of ours, written once and never changed. All three throw `OutageError` when the store is unavailable or full.
 */
export type FileStore = Readonly<{
  /** `subject`: under whose key a store that seals does so (`sealed-files.ts`); others have no use for it. */
  put(key: FileKey, bytes: Uint8Array | Pieces, type: string, subject?: string): Promise<void>;
  /** Null when nothing is stored under the key. */
  get(key: FileKey): Promise<Uint8Array | null>;
  /** Removing what is not there does nothing. */
  remove(key: FileKey): Promise<void>;
}>;

/** Bytes that are made as they are taken, once; `length` of all of them together. */
export type Pieces = Iterable<Uint8Array> & Readonly<{ length: number }>;

/** `logos/…`, `media/…`, or `thumbs/…` with a file's small picture: a folder of ours and a random name, so that no key holds a person's words. */
export type FileKey = `${(typeof folders)[number]}/${string}`;

const folders = ['logos', 'media', 'thumbs'] as const;
const KEY = new RegExp(`^(?:${folders.join('|')})/[A-Za-z0-9_-]{32}$`);

/** Throws RangeError unless it is a key that this product makes: no path leads out of the store. */
function assertFileKey(key: string): asserts key is FileKey {
  if (!KEY.test(key)) throw new RangeError('not a file key');
}

/** Files on this machine's disk, readable by this account alone. For one machine: several need a store that they share. */
export function localFiles(folder: string): FileStore {
  const pathOf = (key: string) => {
    assertFileKey(key);
    return join(folder, key);
  };
  return {
    put: (key, bytes) => write(pathOf(key), bytes).catch(unavailable),
    get: (key) => readIfThere(pathOf(key)).catch(unavailable),
    remove: (key) => rm(pathOf(key), { force: true }).catch(unavailable),
  };
}

function write(path: string, bytes: Uint8Array | Pieces): Promise<void> {
  return writeAside(path, `${path}.${randomUUID()}`, async (file) => {
    for (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) await file.writeFile(piece);
  });
}

/** Written aside and renamed into place: a reader sees all of it or nothing, also after a power cut. `fill` writes the bytes. */
export async function writeAside(
  path: string,
  aside: string,
  fill: (file: FileHandle) => Promise<unknown>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await fill(file);
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

/** The bytes of a file; null where there is none. */
export async function readIfThere(path: string): Promise<Uint8Array | null> {
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

/** How long the store may take for one file, in milliseconds. */
const TIMEOUT = 5_000;

type S3Settings = Extract<FileSettings, { provider: 's3' }>;

/** Files in a bucket of Amazon S3, or of a store that speaks its protocol. The bucket stays private: we alone read it. */
export function s3Files(settings: S3Settings, timeout = TIMEOUT): FileStore {
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = settings;
  const client = new Bun.S3Client({
    ...{ bucket, region, accessKeyId, secretAccessKey, retry: 1 },
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  const ask = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    assertFileKey(key);
    try {
      return await inTime(work(), timeout);
    } catch (cause) {
      throw new OutageError('the store of files is unavailable or refuses', { cause });
    }
  };
  return {
    async put(key, bytes, type) {
      await ask(key, () => client.write(key, joined(bytes), { type }));
    },
    get: (key) =>
      ask(key, () =>
        client
          .file(key)
          .bytes()
          .catch((error: unknown) => {
            if ((error as { code?: string }).code === 'NoSuchKey') return null;
            throw error;
          }),
      ),
    async remove(key) {
      await ask(key, () => client.delete(key));
    },
  };
}

function joined(bytes: Uint8Array | Pieces): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  const all = new Uint8Array(bytes.length);
  let end = 0;
  for (const piece of bytes) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}

/** The client has no deadline of its own. */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The store that the environment asks for; without a word of it this machine's disk. */
export function configuredFiles(settings: FileSettings): FileStore {
  return settings.provider === 's3' ? s3Files(settings) : localFiles(settings.folder);
}
