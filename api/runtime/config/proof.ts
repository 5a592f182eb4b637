import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { type EnvironmentReader, text } from './environment-reader.ts';
import { type Keys, readKey } from './keys.ts';

/** How checkpoints of the log are signed, and where they go. */
export type ProofSettings = LogKeys &
  Readonly<{
    /** The keys before these, which sign beside them for a while after a rotation; null without one. */
    before: LogKeys | null;
    /** The file that each checkpoint is added to. */
    file: string;
  }>;

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
  const file = read.get('CHECKPOINTS_TO', text(/^[^\0]+$/, 'a file'), join(dataDir, 'checkpoints.txt'));
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
  const before = read.raw('LOG_KEY_BEFORE') === undefined ? null : readKey(read, 'LOG_KEY_BEFORE');
  if (before?.equals(key)) read.problem('LOG_KEY_BEFORE', 'repeats another key');
  return { ...logKeysOf(key), before: before && logKeysOf(before), file };
}

function logKeysOf(key: Buffer): LogKeys {
  return { key, clock: Buffer.from(hkdfSync('sha256', key, '', 'ute/checkpoint-clock', 32)) };
}
