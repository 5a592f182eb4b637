import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecrets, rotateLogKey } from './secrets.ts';

let dir: string;
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'ute-secrets-')), 'data');
});
afterEach(() => rmSync(join(dir, '..'), { recursive: true }));

test('the first run makes five different keys of 32 bytes, for their owner alone', () => {
  const secrets = loadSecrets(dir);
  expect(Object.keys(secrets).sort()).toEqual([
    'BOT_CHECK_KEY',
    'CLAIM_KEY',
    'DATA_KEY',
    'LOG_KEY',
    'TOKEN_KEY',
  ]);
  expect(new Set(Object.values(secrets)).size).toBe(5);
  for (const key of Object.values(secrets)) expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('later runs read the same keys', () => {
  expect(loadSecrets(dir)).toEqual(loadSecrets(dir));
});

test('a rotated LOG_KEY is another one, and the one before stays beside it', () => {
  const before = loadSecrets(dir);
  expect(rotateLogKey(dir)).toBe(true);
  const after = loadSecrets(dir);
  expect(after.LOG_KEY).not.toBe(before.LOG_KEY);
  expect(after).toEqual({ ...before, LOG_KEY: after.LOG_KEY, LOG_KEY_BEFORE: before.LOG_KEY });
  expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('where there are no secrets none are rotated', () => {
  expect(rotateLogKey(dir)).toBe(false);
  expect(existsSync(join(dir, 'secrets.json'))).toBe(false);
});

test('a damaged file is refused and left as it is', () => {
  loadSecrets(dir);
  const file = join(dir, 'secrets.json');
  writeFileSync(file, '{"DATA_KEY":"x"');
  expect(() => loadSecrets(dir)).toThrow(/secrets\.json is damaged: it has no DATA_KEY, TOKEN_KEY/);
  expect(readFileSync(file, 'utf8')).toBe('{"DATA_KEY":"x"');
  expect(existsSync(`${file}.${process.pid}`)).toBe(false);
});
