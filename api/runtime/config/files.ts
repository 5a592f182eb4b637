import { join } from 'node:path';
import { choice, type EnvironmentReader, origin, text } from './environment-reader.ts';

/** Where files are stored. */
export type FileSettings =
  | Readonly<{ provider: 'local'; folder: string }>
  | Readonly<{
      provider: 's3';
      bucket: string;
      region: string;
      /** Of a store other than Amazon's. */
      endpoint?: string;
      accessKeyId: string;
      secretAccessKey: string;
    }>;

/** Reads `FILES` and, for a store that speaks S3, its bucket and keys. `dataDir` holds the folder of the local disk. */
export function readFileSettings(read: EnvironmentReader, dataDir: string): FileSettings {
  const provider = read.get('FILES', choice(['local', 's3'] as const), 'local');
  if (provider === 'local') return { provider, folder: join(dataDir, 'files') };
  const endpoint = read.optional('S3_ENDPOINT', origin);
  return {
    provider,
    bucket: required(read, 'S3_BUCKET', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'),
    region: read.get('S3_REGION', text(/^[a-z0-9-]{2,40}$/, 'the name of a region'), 'ap-southeast-2'),
    ...(endpoint === undefined ? {} : { endpoint }),
    accessKeyId: required(read, 'S3_ACCESS_KEY_ID', /^\S{3,200}$/, 'a key without spaces'),
    secretAccessKey: required(read, 'S3_SECRET_ACCESS_KEY', /^\S{8,200}$/, 'a key without spaces'),
  };
}

function required(read: EnvironmentReader, name: string, pattern: RegExp, what: string): string {
  const value = read.optional(name, text(pattern, what));
  if (value === undefined && read.raw(name) === undefined) read.problem(name, 'is missing');
  return value ?? '';
}
