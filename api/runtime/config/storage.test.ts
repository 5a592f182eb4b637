import { expect, test } from 'vitest';
import { EnvironmentReader } from './environment-reader.ts';
import { readFileSettings } from './storage.ts';

const bucket = {
  ...{ FILES: 's3', S3_BUCKET: 'ute-files', S3_ACCESS_KEY_ID: 'AKIAEXAMPLE' },
  S3_SECRET_ACCESS_KEY: 'a secret without end',
};
function read(env: Record<string, string>) {
  const reader = new EnvironmentReader(env);
  return reader.finish(readFileSettings(reader, '/data'));
}

test('without a word, files lie on this machine', () => {
  expect(read({})).toEqual({ provider: 'local', folder: '/data/files' });
});

test('a bucket needs its name and keys, and has Sydney for a region', () => {
  const keys = { ...bucket, S3_SECRET_ACCESS_KEY: 'without-spaces' };
  expect(read(keys)).toEqual({
    ...{ provider: 's3', bucket: 'ute-files', region: 'ap-southeast-2' },
    ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'without-spaces' },
  });
  expect(read({ ...keys, S3_ENDPOINT: 'https://files.example', S3_REGION: 'auto' })).toMatchObject({
    ...{ endpoint: 'https://files.example', region: 'auto' },
  });
});

test('what is missing or wrong is reported by name, without its value', () => {
  expect(() => read({ FILES: 's3' })).toThrow(
    [
      'Configuration: S3_BUCKET is missing.',
      'Configuration: S3_ACCESS_KEY_ID is missing.',
      'Configuration: S3_SECRET_ACCESS_KEY is missing.',
    ].join('\n'),
  );
  const wrong = () => read({ ...bucket, S3_ENDPOINT: 'files.example/path', S3_BUCKET: 'Not A Bucket' });
  expect(wrong).toThrow(/S3_ENDPOINT must be an origin.*\n.*S3_BUCKET must be the name of a bucket/);
  expect(wrong).not.toThrow(/a secret without end/);
  expect(() => read({ FILES: 'ftp' })).toThrow('FILES must be one of local, s3');
});
