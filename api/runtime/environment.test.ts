import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '#api/runtime/config/config.ts';
import { configure, readWithSecretFiles, withSecretFiles } from './environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'ute-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function secret(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('a secret comes from the file that its variable names, without the line end', () => {
  const file = secret('data-key', 'aa11\n');
  expect(withSecretFiles({ DATA_KEY_FILE: file, PORT: '1' }).environment).toMatchObject({
    DATA_KEY: 'aa11',
    PORT: '1',
  });
});

test('without files the environment is as it was', () => {
  expect(withSecretFiles({ DATA_KEY: 'x', TOKEN_KEY_FILE: ' ' }).environment).toEqual({
    DATA_KEY: 'x',
    TOKEN_KEY_FILE: ' ',
  });
});

test.each(['SMTP_URL', 'TWILIO_TOKEN', 'ASSISTANT_KEY', 'SERVICE_KEY'])('%s may come from a file', (name) => {
  expect(withSecretFiles({ [`${name}_FILE`]: secret(name, 'a secret') }).environment).toMatchObject({
    [name]: 'a secret',
  });
});

test('a secret given both ways is refused', () => {
  const DATA_KEY_FILE = secret('twice', 'bb22');
  expect(() => configure({ NODE_ENV: 'production', DATA_KEY: 'other', DATA_KEY_FILE })).toThrow(
    /^Configuration: DATA_KEY is given twice, as DATA_KEY_FILE too\.$/m,
  );
});

test('a file that is not there is named by its variable alone', () => {
  const missing = join(folder, 'missing');
  const keys = {
    DATA_KEY: secret('data', `${'0123456789abcdef'.repeat(2)}fedcba98765432100f1e2d3c4b5a6978`),
  };
  const start = () =>
    configure({
      NODE_ENV: 'test',
      DATA_DIR: folder,
      EVENTSTORE_URL_FILE: missing,
      DATA_KEY_FILE: keys.DATA_KEY,
    });
  expect(start).toThrow(new ConfigError('Configuration: EVENTSTORE_URL_FILE cannot be read (ENOENT).'));
});

test('only secrets may come from files', () => {
  expect(withSecretFiles({ PORT_FILE: join(folder, 'missing') }).environment).not.toHaveProperty('PORT');
});

test('what is wrong with files is reported together with all else, and a secret that was not read is not called missing', () => {
  const DATA_KEY_FILE = join(folder, 'missing');
  const start = () => configure({ NODE_ENV: 'production', DATA_KEY_FILE, PORT: 'many' });
  expect(start).toThrow(/^Configuration: DATA_KEY_FILE cannot be read \(ENOENT\)\.$/m);
  expect(start).toThrow(/^Configuration: PORT must be /m);
  expect(start).not.toThrow('DATA_KEY is missing');
});

test('what needs nothing but secrets refuses those that were not read', () => {
  expect(() => readWithSecretFiles({ MIGRATION_DATABASE_URL_FILE: join(folder, 'missing') })).toThrow(
    new ConfigError('Configuration: MIGRATION_DATABASE_URL_FILE cannot be read (ENOENT).'),
  );
});
