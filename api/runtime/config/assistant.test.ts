import { expect, test } from 'vitest';
import { readAssistantSettings } from './assistant.ts';
import { ConfigError, EnvironmentReader } from './environment-reader.ts';

function read(env: Record<string, string>) {
  const reader = new EnvironmentReader(env);
  return reader.finish(readAssistantSettings(reader));
}
const endpoint = { ASSISTANT_URL: 'https://models.example.com/v1/', ASSISTANT_MODEL: 'org/model-3:latest' };

test('without an endpoint the embedded assistant answers', () => {
  expect(read({})).toEqual({ provider: 'embedded' });
  expect(read({ ASSISTANT_MODEL: 'model-3', ASSISTANT_KEY: 'a-key' })).toEqual({ provider: 'embedded' });
});

test('an endpoint needs its model, and a key only where it asks for one', () => {
  const known = { provider: 'model', url: 'https://models.example.com/v1', model: 'org/model-3:latest' };
  expect(read(endpoint)).toEqual({ ...known, key: null });
  expect(read({ ...endpoint, ASSISTANT_KEY: 'sk-a-key' })).toEqual({ ...known, key: 'sk-a-key' });
});

test.each<[Record<string, string>, string]>([
  [{ ASSISTANT_MODEL: '' }, 'ASSISTANT_MODEL is missing'],
  [{ ASSISTANT_MODEL: 'a model' }, 'ASSISTANT_MODEL must be the name of a model'],
  [{ ASSISTANT_KEY: 'a secret key' }, 'ASSISTANT_KEY must be a key without spaces'],
  ...[
    'models.example.com',
    'https://me:secret@models.example.com',
    'https://models.example.com/v1?key=secret',
  ].map((ASSISTANT_URL): [Record<string, string>, string] => [
    { ASSISTANT_URL },
    'ASSISTANT_URL must be an address such as https://models.example.com/v1',
  ]),
])('%j is refused, by name and without its value', (env, message) => {
  expect(() => read({ ...endpoint, ...env })).toThrow(new ConfigError(`Configuration: ${message}.`));
});
