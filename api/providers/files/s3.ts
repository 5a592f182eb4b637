import type { FileSettings } from '#api/runtime/config/files.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { assertFileKey, type FileStore } from './files.ts';

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
      await ask(key, () => client.write(key, bytes, { type }));
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

/** The client has no deadline of its own. */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
