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

/** A folder, or a bucket and what begins with `prefix` in it. */
export type BackupPlace =
  | Readonly<{ kind: 'folder'; folder: string }>
  | Readonly<{ kind: 's3'; bucket: string; prefix: string }>;

export type BackupSettings = Readonly<{
  /** Where `ute backup` writes; null: it is given with the command. */
  to: BackupPlace | null;
  /** The public key that backups are encrypted to; null: none was given. */
  recipient: string | null;
  /** How buckets are reached, from the variables `S3_…`; null: their keys are not set. */
  s3: Readonly<{ region: string; endpoint?: string; accessKeyId: string; secretAccessKey: string }> | null;
}>;

/** Reads `BACKUP_TO`, `BACKUP_RECIPIENT` and the keys of S3, which bucket and files may share. */
export function readBackupSettings(read: EnvironmentReader): BackupSettings {
  const to = read.optional('BACKUP_TO', backupPlace) ?? null;
  const recipient =
    read.optional('BACKUP_RECIPIENT', text(/^age1[0-9a-z]{58}$/, 'a public key of age (age1…)')) ?? null;
  const s3 = readS3(read);
  if (to !== null && recipient === null && read.raw('BACKUP_RECIPIENT') === undefined)
    read.problem('BACKUP_RECIPIENT', 'is missing: a backup is encrypted to it');
  if (to?.kind === 's3' && s3 === null)
    read.problem('BACKUP_TO', 'is a bucket, which needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  return { to, recipient, s3 };
}

/** `/mnt/backup` or `s3://bucket/prefix`. Throws RangeError. */
export function backupPlace(raw: string): BackupPlace {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(raw) ?? [];
  if (bucket) {
    const prefix = path.replace(/\/+$/, '');
    if (!/^[A-Za-z0-9._/-]*$/.test(prefix)) throw new RangeError('a bucket such as s3://bucket/prefix');
    return { kind: 's3', bucket, prefix: prefix === '' ? '' : `${prefix}/` };
  }
  if (raw.includes('\0') || /^[a-z0-9]+:\/\//i.test(raw))
    throw new RangeError('a folder, or a bucket such as s3://bucket/prefix');
  return { kind: 'folder', folder: raw };
}

function readS3(read: EnvironmentReader): BackupSettings['s3'] {
  const [accessKeyId, secretAccessKey] = [read.raw('S3_ACCESS_KEY_ID'), read.raw('S3_SECRET_ACCESS_KEY')];
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  const endpoint =
    read.raw('FILES') === 's3' ? read.raw('S3_ENDPOINT') : read.optional('S3_ENDPOINT', origin);
  return {
    region: read.raw('S3_REGION') ?? 'ap-southeast-2',
    ...{ accessKeyId, secretAccessKey },
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}
