import { compress, initialState, sha256 } from './plain-sha256.ts';

/** Bytes of SHA-256's blocks and of its digest. */
const [block, digest] = [64, 32];

/** PBKDF2 with HMAC-SHA-256, for pages that have no `crypto.subtle`. `length` in bytes, at most 32: one block of output. */
export function pbkdf2(
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  length: number,
): Uint8Array {
  if (length > digest) throw new RangeError('at most 32 bytes');
  const key = new Uint8Array(block);
  key.set(password.length > block ? sha256(password) : password);
  const inner = keyed(key, 0x36);
  const outer = keyed(key, 0x5c);

  // Both hashes go on from the state behind their key block: two compressions for each iteration.
  const first = new Uint8Array(block + salt.length + 4);
  first.set(key.map((byte) => byte ^ 0x36));
  first.set(salt, block);
  first[first.length - 1] = 1;
  const words = paddedDigest();
  toWords(sha256(first), words);
  const state = new Uint32Array(8);
  hashDigest(outer, words, state);
  const result = state.slice();
  for (let round = 1; round < iterations; round += 1) {
    words.set(state);
    hashDigest(inner, words, state);
    words.set(state);
    hashDigest(outer, words, state);
    for (let index = 0; index < 8; index += 1) result[index] = (result[index] ?? 0) ^ (state[index] ?? 0);
  }
  const bytes = new Uint8Array(digest);
  const view = new DataView(bytes.buffer);
  result.forEach((word, index) => {
    view.setUint32(index * 4, word);
  });
  return bytes.slice(0, length);
}

/** SHA-256's state behind the block of a key under HMAC's mask. */
function keyed(key: Uint8Array, mask: number): Uint32Array {
  const words = new Uint32Array(16);
  toWords(
    key.map((byte) => byte ^ mask),
    words,
  );
  const state = initialState();
  compress(state, words);
  return state;
}

/** One block for a digest that follows a key block: its words come first, the rest never changes. */
function paddedDigest(): Uint32Array {
  const words = new Uint32Array(16);
  words[8] = 0x80000000;
  words[15] = (block + digest) * 8;
  return words;
}

function hashDigest(from: Uint32Array, words: Uint32Array, into: Uint32Array): void {
  into.set(from);
  compress(into, words);
}

function toWords(bytes: Uint8Array, words: Uint32Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let index = 0; index < bytes.length / 4; index += 1) words[index] = view.getUint32(index * 4);
}

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
