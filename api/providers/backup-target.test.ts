import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { OutageError } from '#core/kernel/errors.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { s3Server } from '#tests/support/servers/providers.ts';
import { type BackupTarget, folderTarget, s3Target } from './backup-target.ts';

const access = {
  ...{ region: 'ap-southeast-2', accessKeyId: 'AKIAEXAMPLE' },
  secretAccessKey: 'the secret of the test',
};
const bucket = 'ute-backup';
const server = s3Server({ bucket, ...access });
const folder = tempFolder('backup-target');
const inS3 = (overrides = {}, timeout?: number) =>
  s3Target({ bucket, prefix: 'ute/' }, { endpoint: server.url, ...access, ...overrides }, timeout);
afterEach(() => server.fail(null));
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const bytes = new Uint8Array([0, 255, 10, 13, 0]);

describe.each([
  ['in a folder', folderTarget(join(folder.path, 'on', 'disk'))],
  ['in a bucket', inS3()],
] as const)('a backup %s', (_, target: BackupTarget) => {
  test('has its objects as they were written last, until they are removed', async () => {
    expect(await target.get('keys/a.age')).toBeNull();
    await target.put('keys/a.age', new Uint8Array([1]));
    await target.put('keys/a.age', bytes);
    expect(new Uint8Array((await target.get('keys/a.age')) ?? [])).toEqual(bytes);
    await target.remove('keys/a.age');
    await target.remove('keys/a.age');
    expect(await target.get('keys/a.age')).toBeNull();
  });

  test('lists its objects in order, of one beginning, and after one of them', async () => {
    for (const name of ['log/2', 'log/1/b', 'log/1/a', 'logs/x', 'top']) await target.put(name, bytes);
    expect(await target.list('log/')).toEqual(['log/1/a', 'log/1/b', 'log/2']);
    expect(await target.list('log/', 'log/1/a')).toEqual(['log/1/b', 'log/2']);
    expect(await target.list('none/')).toEqual([]);
  });

  test.each(['../etc/passwd', 'a/../b', '/a', 'a//b', 'a/', '', '.hidden'])(
    'has none under a name such as %j',
    async (bad) => {
      const ask = async () => target.get(bad);
      await expect(ask()).rejects.toThrow(RangeError);
    },
  );
});

describe('in a folder', () => {
  test('no other user of the machine may read it, and no half object is left or listed', async () => {
    const own = join(folder.path, 'own');
    await folderTarget(own).put('keys/a.age', bytes);
    expect(statSync(join(own, 'keys')).mode & 0o777).toBe(0o700);
    expect(statSync(join(own, 'keys/a.age')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(own, 'keys'))).toEqual(['a.age']);
    writeFileSync(join(own, 'keys/b.age.0000.writing'), 'half');
    expect(await folderTarget(own).list('keys/')).toEqual(['keys/a.age']);
  });

  test('a disk that cannot be written is an outage', async () => {
    const full = join(folder.path, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'keys'), 'a file where the folder belongs');
    await expect(folderTarget(full).put('keys/a', bytes)).rejects.toThrow(OutageError);
    await expect(folderTarget(full).get('keys/a')).rejects.toThrow(OutageError);
  });

  test('a disk that is full in the middle of an object is an outage, and leaves no half of it', async () => {
    const small = join(folder.path, 'small');
    const target = folderTarget(small, {
      async fill(file, bytes) {
        await file.writeFile(bytes.subarray(0, 2));
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      },
    });
    await folderTarget(small).put('keys/a', new Uint8Array([9]));
    await expect(target.put('keys/a', bytes)).rejects.toThrow(OutageError);
    expect(readdirSync(join(small, 'keys'))).toEqual(['a']);
    expect([...((await target.get('keys/a')) ?? [])]).toEqual([9]);
  });

  test('a disk that hangs is an outage after its time; it gets no second call until the first comes back', async () => {
    const hanging = join(folder.path, 'hanging');
    const target = folderTarget(hanging, { timeoutMs: 50 });
    await target.put('keys/a', bytes);
    // To read from a pipe that no process writes into takes for ever.
    const pipe = join(hanging, 'keys/pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    await expect(target.get('keys/pipe')).rejects.toThrow(OutageError);
    await expect(target.get('keys/a')).rejects.toThrow('the folder of the backup hangs');
    writeFileSync(pipe, 'at last');
    await expect.poll(() => target.get('keys/a').catch(() => null)).not.toBeNull();
  });
});

describe('in a bucket', () => {
  test('objects lie below the prefix, and more than a page of them are listed', async () => {
    for (let n = 0; n < 1_050; n += 1)
      server.objects.set(`ute/many/${String(n).padStart(4, '0')}`, { bytes, type: '' });
    const names = await inS3().list('many/');
    expect([names.length, names[0], names.at(-1)]).toEqual([1_050, 'many/0000', 'many/1049']);
  });

  test('a store that refuses, hangs or is gone is an outage, reported without the secret', async () => {
    server.fail('refuse');
    await expect(inS3().get('a')).rejects.toThrow(OutageError);
    await expect(inS3().list('a')).rejects.toThrow(OutageError);
    server.fail('break');
    await expect(inS3().put('a', bytes)).rejects.toThrow(OutageError);
    server.fail('hang');
    await expect(inS3({}, 100).put('a', bytes)).rejects.toThrow(OutageError);
    server.fail(null);
    const failure = await inS3({ secretAccessKey: 'another secret' })
      .put('a', bytes)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutageError);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('secret');
  });
});
