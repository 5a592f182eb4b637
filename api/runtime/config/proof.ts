import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { type NoteVerifier, parseVkey } from '#core/crypto/note.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { type Keys, readKey } from './keys.ts';
import { type BackupPlace, backupPlace } from './storage.ts';

/** How checkpoints of the log are signed, and where they go. */
export type ProofSettings = LogKeys &
  Readonly<{
    /** The keys before these, which sign beside them for a while after a rotation; null without one. */
    before: LogKeys | null;
    /** Where each checkpoint goes: a file that it is added to, or a bucket. */
    to: BackupPlace;
    /** Who signs checkpoints too. */
    witnesses: readonly WitnessSettings[];
    /** Who states once a day that a checkpoint existed (RFC 3161); null: not asked. */
    timestampUrl: URL | null;
  }>;

/** The submission prefix of a witness (C2SP `tlog-witness`), and the key of its cosignatures. */
export type WitnessSettings = Readonly<{ url: URL; verifier: NoteVerifier }>;

/** Seeds of 32 bytes. */
export type LogKeys = Readonly<{
  /** Of the key that signs (Ed25519). */
  key: Buffer;
  /** Of the key that states when it was signed: drawn from the other. */
  clock: Buffer;
}>;

/** Null for a process that signs nothing: one of role `api`, or one without the key outside production. */
export function readProofSettings(
  read: EnvironmentReader,
  {
    production,
    role,
    dataDir,
    keys,
  }: Readonly<{ production: boolean; role: string; dataDir: string; keys: Keys }>,
): ProofSettings | null {
  const to = read.get('CHECKPOINTS_TO', checkpointPlace, {
    ...{ kind: 'folder', folder: join(dataDir, 'checkpoints.txt') },
  });
  const witnesses = read.get('WITNESSES', witnessList, []);
  const timestampUrl = read.optional('TIMESTAMP_URL', httpAddress) ?? null;
  const isGiven = read.raw('LOG_KEY') !== undefined;
  if (role === 'api') {
    if (production && isGiven)
      read.problem('LOG_KEY', 'is for the worker alone: a process that answers requests signs nothing');
    return null;
  }
  if (!isGiven && !production) return null;
  const key = readKey(read, 'LOG_KEY');
  if (Object.values(keys).some((other) => key.length > 0 && other.equals(key)))
    read.problem('LOG_KEY', 'repeats another key');
  if (
    to.kind === 's3' &&
    [read.raw('S3_ACCESS_KEY_ID'), read.raw('S3_SECRET_ACCESS_KEY')].includes(undefined)
  )
    read.problem('CHECKPOINTS_TO', 'is a bucket, which needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  const before = read.raw('LOG_KEY_BEFORE') === undefined ? null : readKey(read, 'LOG_KEY_BEFORE');
  if (before?.equals(key)) read.problem('LOG_KEY_BEFORE', 'repeats another key');
  return { ...withClock(key), before: before && withClock(before), to, witnesses, timestampUrl };
}

/** The keys that sign checkpoints, 32 bytes each, the newest first; none without LOG_KEY. */
export function logKeysOf(proof: ProofSettings | null): Buffer[] {
  return proof ? [proof.key, ...(proof.before ? [proof.before.key] : [])] : [];
}

function withClock(key: Buffer): LogKeys {
  return { key, clock: Buffer.from(hkdfSync('sha256', key, '', 'ute/checkpoint-clock', 32)) };
}

/** A file, or `s3://bucket/prefix`. Throws RangeError. */
function checkpointPlace(raw: string): BackupPlace {
  if (raw === '') throw new RangeError('a file, or a bucket such as s3://bucket/prefix');
  return backupPlace(raw);
}

/** `<url> <vkey>` pairs with commas between. Throws RangeError. */
function witnessList(raw: string): WitnessSettings[] {
  return raw.split(',').map((pair) => {
    const [address = '', vkey = '', ...rest] = pair.trim().split(/\s+/);
    const verifier = parseVkey(vkey);
    if (verifier?.kind !== 'cosignature' || rest.length > 0)
      throw new RangeError(
        'pairs of an address and a key of cosignatures, such as https://witness.example name+1a2b3c4d+BA…',
      );
    return { url: httpAddress(address), verifier };
  });
}

/** Throws RangeError. */
function httpAddress(raw: string): URL {
  const url = URL.canParse(raw) ? new URL(raw) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new RangeError('an address such as https://tsa.example/tsr');
  if (url.protocol === 'http:' && url.username !== '') throw new RangeError('https, where it has a password');
  return url;
}
