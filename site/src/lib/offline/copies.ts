import { subtleCrypto } from '#site/lib/secure/sealing.ts';
import { type CopyStore, indexedCopies } from './copy-store.ts';

/** An answer of a while ago; `at` in ms since the epoch. */
export type Copy = Readonly<{ payload: unknown; at: number }>;

export type Copies = Readonly<{
  /**
   * Stores an answer for the holder of this token. What is older than seven days goes, and where the answer has a job whose customer
   * was removed, all from before that: other answers have the customer too.
   */
  store(token: string, path: string, payload: unknown): Promise<void>;
  /** The last answer at a path; null where none was stored under this token in the last seven days. */
  read(token: string, path: string): Promise<Copy | null>;
  /** Where answers are stored, of every session. */
  paths(): Promise<readonly string[]>;
}>;

/** As long as a session rests before it ends, in milliseconds. */
const longestAge = 7 * 86_400_000;
/** How far this device's clock may be ahead of the server's, in milliseconds. */
const clocksApart = 10 * 60_000;

/**
 * Answers cached for reading without a network, sealed with a key that is drawn from the session's token and stored nowhere:
 * without the session the copies are noise, as they are after a logout. Where the browser refuses, nothing is stored and
 * nothing breaks.
 */
export function createCopies(store: Omit<CopyStore, 'clear'>, now: () => number = Date.now): Copies {
  let known: Readonly<{ token: string; key: Promise<CryptoKey> }> | undefined;
  const keyOf = (token: string): Promise<CryptoKey> => {
    if (known?.token !== token) known = { token, key: drawKey(token) };
    return known.key;
  };
  return {
    store: (token, path, payload) =>
      quietly(undefined, async () => {
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const text = JSON.stringify(payload);
        await store.dropUntil(Math.max(now() - longestAge - 1, newestErasure(text) + clocksApart));
        const sealed = await subtleCrypto().encrypt(cipher(iv, path), await keyOf(token), encode(text));
        await store.put({ path, at: now(), iv, sealed });
      }),
    read: (token, path) =>
      quietly(null, async () => {
        const copy = await store.get(path);
        if (!copy || now() - copy.at > longestAge) return null;
        const text = await subtleCrypto().decrypt(cipher(copy.iv, path), await keyOf(token), copy.sealed);
        return { payload: JSON.parse(new TextDecoder().decode(text)), at: copy.at };
      }),
    paths: () => quietly([], () => store.paths()),
  };
}

/** When the newest erasure in an answer was, in ms since the epoch; the beginning of time without one. */
function newestErasure(text: string): number {
  const moments = [...text.matchAll(/"erasedAt":"([^"]+)"/g)].map(([, at = '']) => Date.parse(at));
  return Math.max(Number.NEGATIVE_INFINITY, ...moments.filter((at) => !Number.isNaN(at)));
}

/** The copies of this browser. */
export const copies = createCopies(indexedCopies);

/** A copy is good for its own path alone. */
function cipher(iv: Uint8Array<ArrayBuffer>, path: string) {
  return { name: 'AES-GCM', iv, additionalData: encode(path) };
}

async function drawKey(token: string): Promise<CryptoKey> {
  const secret = await subtleCrypto().importKey('raw', encode(token), 'HKDF', false, ['deriveKey']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode('ute copies') };
  return subtleCrypto().deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** No database, no secure context, another token: all of it means that there is no copy. */
async function quietly<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}
