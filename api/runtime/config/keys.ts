import type { EnvironmentReader } from './environment-reader.ts';
import { isGuessableKey } from './guessable.ts';

/** Secret keys, 32 bytes each, one per purpose. */
export type Keys = Readonly<{
  /** Wraps the keys of personal data (AES-256-GCM). */
  data: Buffer;
  /** Signs bearer tokens (HS256). */
  token: Buffer;
  /** Turns email, mobile and slug into the keys of `state.reservations` and of limits (HMAC-SHA-256). */
  claim: Buffer;
  /** Signs bot-check challenges and tickets. */
  botCheck: Buffer;
}>;

/** The variable of each key. */
export const keyVariables = {
  data: 'DATA_KEY',
  token: 'TOKEN_KEY',
  claim: 'CLAIM_KEY',
  botCheck: 'BOT_CHECK_KEY',
} as const satisfies Record<keyof Keys, string>;

const BYTES = 32;

/** Reads the four keys: 64 hex digits or base64 of 32 bytes, none missing, none weak, no two alike. */
export function readKeys(read: EnvironmentReader): Keys {
  const keys = {
    data: readKey(read, keyVariables.data),
    token: readKey(read, keyVariables.token),
    claim: readKey(read, keyVariables.claim),
    botCheck: readKey(read, keyVariables.botCheck),
  };
  const seen = new Set<string>();
  for (const [purpose, key] of Object.entries(keys) as [keyof Keys, Buffer][]) {
    const text = key.toString('base64');
    if (key.length > 0 && seen.has(text)) read.problem(keyVariables[purpose], 'repeats another key');
    seen.add(text);
  }
  return keys;
}

/** One key: 64 hex digits or base64 of 32 bytes. Empty when it is missing or wrong, which is reported. */
export function readKey(read: EnvironmentReader, name: string): Buffer {
  const raw = read.raw(name);
  if (raw === undefined) {
    read.problem(name, 'is missing');
    return Buffer.alloc(0);
  }
  const key = bytesOf(raw);
  if (key.length !== BYTES) read.problem(name, 'must be 32 bytes, as 64 hex digits or base64');
  else if (new Set(key).size < 12) read.problem(name, notRandom);
  else if (read.raw('NODE_ENV') === 'production' && isGuessableKey(key)) read.problem(name, notRandom);
  return key;
}

const notRandom = 'is not random: make one with `openssl rand -hex 32`';

/** Empty for another form. */
function bytesOf(raw: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(raw)) return Buffer.from(raw, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(raw) ? Buffer.from(raw, 'base64') : Buffer.alloc(0);
}
