import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('options may carry their value behind a space or an equals sign', () => {
  expect(readOptions(['--json', '--port', '8080', '--role=api'])).toEqual({
    json: true,
    help: false,
    environment: { PORT: '8080', ROLE: 'api' },
  });
});

test('an unknown option is refused by name', () => {
  expect(() => readOptions(['--jsno'])).toThrow('Unknown option --jsno. See --help.');
});

test('a missing value is refused', () => {
  expect(() => readOptions(['--port'])).toThrow('--port needs a value. See --help.');
});
