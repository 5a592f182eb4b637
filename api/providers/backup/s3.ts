import { OutageError } from '#core/kernel/errors.ts';
import { assertObjectName, type BackupTarget, inTime } from './target.ts';

/** How to reach buckets; which bucket, the target's address says. */
export type S3Access = Readonly<{
  region: string;
  /** Of a store other than Amazon's. */
  endpoint?: string;
  accessKeyId: string;
  secretAccessKey: string;
}>;

/** How long the store may take for one object, in milliseconds: the client has no deadline of its own. */
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
