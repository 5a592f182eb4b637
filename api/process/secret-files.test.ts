import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../config.ts';
import { withSecretFiles } from './secret-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'ute-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function secret(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('a secret comes from the file that its variable names, without the line end', () => {
  const file = secret('data-key', 'aa11\n');
  expect(withSecretFiles({ DATA_KEY_FILE: file, PORT: '1' })).toMatchObject({ DATA_KEY: 'aa11', PORT: '1' });
});

test('without files the environment is as it was', () => {
  expect(withSecretFiles({ DATA_KEY: 'x', TOKEN_KEY_FILE: ' ' })).toEqual({
    DATA_KEY: 'x',
    TOKEN_KEY_FILE: ' ',
  });
});

test.each(['SMTP_URL', 'TWILIO_TOKEN', 'ASSISTANT_KEY', 'SERVICE_KEY'])('%s may come from a file', (name) => {
  expect(withSecretFiles({ [`${name}_FILE`]: secret(name, 'a secret') })).toMatchObject({
    [name]: 'a secret',
  });
});

test('a secret given both ways is refused', () => {
  const DATA_KEY_FILE = secret('twice', 'bb22');
  expect(() => withSecretFiles({ DATA_KEY: 'other', DATA_KEY_FILE })).toThrow(ConfigError);
});

test('a file that is not there is named by its variable alone', () => {
  const missing = join(folder, 'missing');
  expect(() => withSecretFiles({ EVENTSTORE_URL_FILE: missing })).toThrow(
    'Configuration: EVENTSTORE_URL_FILE cannot be read (ENOENT).',
  );
});

test('only secrets may come from files', () => {
  expect(withSecretFiles({ PORT_FILE: join(folder, 'missing') })).not.toHaveProperty('PORT');
});
