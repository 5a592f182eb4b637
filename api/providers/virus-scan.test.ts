import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConfigError, EnvironmentReader } from '#api/runtime/config/environment-reader.ts';
import { readVirusScanSettings } from '#api/runtime/config/providers.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { bytesOf } from '#tests/support/scenarios/files.ts';
import { type ClamdServer, clamdServer, eicar } from '#tests/support/servers/providers.ts';
import { isClean } from './virus-scan.ts';

let clamd: ClamdServer;
beforeAll(async () => {
  clamd = await clamdServer();
});
afterEach(() => clamd.become('scan'));
afterAll(() => clamd.stop());

const settings = () => ({ host: '127.0.0.1', port: clamd.port });

test('a file is clean, or it is not, wherever in it the virus lies', async () => {
  expect(await isClean(settings(), bytesOf('%PDF-1.7 a plan'))).toBe(true);
  expect(await isClean(settings(), bytesOf(eicar))).toBe(false);
  const large = bytesOf(new Uint8Array(5 * 1024 * 1024).fill(7), eicar);
  expect(await isClean(settings(), large)).toBe(false);
  expect(await isClean(settings(), large.subarray(0, -1))).toBe(true);
  expect(await isClean(settings(), new Uint8Array(0))).toBe(true);
});

test.each(['hang', 'overflow', 'hang-up'] as const)(
  'a scanner that does %s has cleared nothing',
  async (how) => {
    clamd.become(how);
    await expect(isClean(settings(), bytesOf('x'), 200)).rejects.toThrow(OutageError);
  },
);

test('nor has one that is not there', async () => {
  await expect(isClean({ host: '127.0.0.1', port: 9 }, bytesOf('x'))).rejects.toThrow(OutageError);
});

test('is found by its address', () => {
  const read = (env: Record<string, string>) => {
    const reader = new EnvironmentReader(env);
    return reader.finish(readVirusScanSettings(reader));
  };
  expect(read({})).toBeUndefined();
  expect(read({ CLAMD: 'clamd.internal:3310' })).toEqual({ host: 'clamd.internal', port: 3310 });
  expect(() => read({ CLAMD: 'clamd' })).toThrow(ConfigError);
});
