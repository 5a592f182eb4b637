import { OutageError } from '#core/kernel/errors.ts';
import { assertObjectName, type BackupTarget } from './target.ts';

/** How to reach buckets; which bucket, the target's address says. */
export type S3Access = Readonly<{
  region: string;
  /** Of a store other than Amazon's. */
  endpoint?: string;
  accessKeyId: string;
  secretAccessKey: string;
}>;

/** How long the store may take for one object, in milliseconds. */
const TIMEOUT = 60_000;

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

/** The client has no deadline of its own. */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
