import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { OutageError } from '#core/kernel/errors.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { s3Server } from '#tests/support/servers/providers.ts';
import { type FileKey, type FileStore, localFiles, s3Files } from './files.ts';

const account = {
  ...{ bucket: 'ute-files', region: 'ap-southeast-2' },
  ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'the secret of the test' },
};
const server = s3Server(account);
const folder = tempFolder('files');
const inS3 = (overrides = {}, timeout?: number) =>
  s3Files({ provider: 's3', endpoint: server.url, ...account, ...overrides }, timeout);
afterEach(() => server.fail(null));
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const key: FileKey = `logos/${'a'.repeat(31)}-`;
const bytes = new Uint8Array([0, 255, 10, 13, 0]);

describe.each([
  ['on disk', localFiles(join(folder.path, 'on', 'disk'))],
  ['in a bucket', inS3()],
] as const)('files %s', (_, files: FileStore) => {
  test('come back as they went, until they are removed', async () => {
    expect(await files.get(key)).toBeNull();
    await files.put(key, bytes, 'image/webp');
    expect(new Uint8Array((await files.get(key)) ?? [])).toEqual(bytes);
    expect(await files.get(`media/${'a'.repeat(31)}-`)).toBeNull();
    await files.remove(key);
    await files.remove(key);
    expect(await files.get(key)).toBeNull();
  });

  test.each(['logos/../../etc/passwd', 'logos/x', `other/${'a'.repeat(32)}`, `/logos/${'a'.repeat(32)}`, ''])(
    'are never under a key such as %j',
    async (bad) => {
      const ask = async () => files.get(bad as FileKey);
      await expect(ask()).rejects.toThrow(RangeError);
    },
  );

  test('are large, and many at once', async () => {
    const large = new Uint8Array(5 * 1024 * 1024).fill(7);
    const keys = Array.from({ length: 5 }, (_, at): FileKey => `media/${String(at).repeat(32)}`);
    await Promise.all(keys.map((one) => files.put(one, large, 'application/pdf')));
    const sizes = await Promise.all(keys.map(async (one) => (await files.get(one))?.length));
    expect(sizes).toEqual(keys.map(() => large.length));
  });
});

describe('on disk', () => {
  test('no other user of the machine may read them, and no half file is left', async () => {
    const own = join(folder.path, 'own');
    await localFiles(own).put(key, bytes, 'image/webp');
    expect(statSync(join(own, 'logos')).mode & 0o777).toBe(0o700);
    expect(statSync(join(own, key)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(own, 'logos'))).toEqual([key.slice('logos/'.length)]);
  });

  test('a disk that cannot be written is an outage', async () => {
    const full = join(folder.path, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'logos'), 'a file where the folder belongs');
    await expect(localFiles(full).put(key, bytes, 'image/webp')).rejects.toThrow(OutageError);
    await expect(localFiles(full).get(key)).rejects.toThrow(OutageError);
  });
});

describe('in a bucket', () => {
  test('they carry their type, and stay private', async () => {
    await inS3().put(key, bytes, 'image/webp');
    expect(server.objects.get(key)).toEqual({ bytes, type: 'image/webp' });
    const anonymous = await fetch(`${server.url}/${account.bucket}/${key}`);
    expect(anonymous.status).toBe(403);
  });

  test.each([
    ['a wrong secret', { secretAccessKey: 'another secret' }],
    ['another bucket', { bucket: 'somebody-elses' }],
  ])('%s is an outage, reported without the secret', async (_, overrides) => {
    const failure = await inS3(overrides)
      .put(key, bytes, 'image/webp')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutageError);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('secret');
  });

  test('a store that refuses, hangs or is gone is an outage, and soon', async () => {
    server.fail('refuse');
    await expect(inS3().get(key)).rejects.toThrow(OutageError);
    server.fail('hang');
    await expect(inS3({}, 100).get(key)).rejects.toThrow(OutageError);
    const noServer = inS3({ endpoint: 'http://127.0.0.1:9' });
    await expect(noServer.remove(key)).rejects.toThrow(OutageError);
  });
});
