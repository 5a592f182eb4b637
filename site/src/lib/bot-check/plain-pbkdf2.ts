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

/** The first 32 bits of a number's fractional part, from which SHA-256's constants are made. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0;

const primes = Array.from({ length: 312 }, (_, number) => number).filter(
  (number) =>
    number > 1 && !Array.from({ length: number }, (_, at) => at).some((at) => at > 1 && number % at === 0),
);
const roundConstants = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));
const startWords = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

export function initialState(): Uint32Array {
  return startWords.slice();
}

const schedule = new Int32Array(64);
const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/**
 * Takes one block of sixteen words into the state of eight, as in FIPS 180-4. Runs some millions of times in a bot
 * check, so nothing is made anew in here.
 */
export function compress(state: Uint32Array, block: Uint32Array): void {
  const w = schedule;
  for (let at = 0; at < 16; at += 1) w[at] = block[at] as number;
  for (let at = 16; at < 64; at += 1) {
    const x = w[at - 15] as number;
    const y = w[at - 2] as number;
    const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[at] = ((w[at - 16] as number) + low + (w[at - 7] as number) + high) | 0;
  }
  let a = (state[0] as number) | 0;
  let b = (state[1] as number) | 0;
  let c = (state[2] as number) | 0;
  let d = (state[3] as number) | 0;
  let e = (state[4] as number) | 0;
  let f = (state[5] as number) | 0;
  let g = (state[6] as number) | 0;
  let h = (state[7] as number) | 0;
  for (let at = 0; at < 64; at += 1) {
    const sumE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + sumE + ((e & f) ^ (~e & g)) + (roundConstants[at] as number) + (w[at] as number)) | 0;
    const sumA = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/** The digest of some bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = initialState();
  const block = new Uint32Array(16);
  for (let from = 0; from < padded.length; from += 64) {
    for (let at = 0; at < 16; at += 1) block[at] = view.getUint32(from + at * 4);
    compress(state, block);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => {
    digest.setUint32(at * 4, word);
  });
  return new Uint8Array(digest.buffer);
}
