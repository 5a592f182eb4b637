/**
 * SHA-256 and SHA-512 (FIPS 180-4), for what runs in the page that checks a record, in which every byte counts; servers that hash much take
 * their runtime's. Constants are computed as the standard defines them: 64 bits behind the point of roots of primes.
 */
const primes: number[] = [];
for (let n = 2; primes.length < 80; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);

/** The first 64 bits behind the point of the square (2) or cube (3) root of a prime. */
function rootBits(prime: number, power: 2 | 3): bigint {
  const wanted = BigInt(prime) << BigInt(64 * power);
  let root = 0n;
  // From the highest bit down: no root of these primes is above 2^5.
  for (let bit = 1n << 68n; bit > 0n; bit >>= 1n) if ((root | bit) ** BigInt(power) <= wanted) root |= bit;
  return root & MASK;
}

const MASK = (1n << 64n) - 1n;
const rounds = primes.map((prime) => rootBits(prime, 3));
const begin = primes.slice(0, 8).map((prime) => rootBits(prime, 2));
const highHalf = (bits: bigint) => Number(bits >> 32n) | 0;
const rounds32 = Int32Array.from(rounds.slice(0, 64), highHalf);

/** The message in whole blocks: a bit 1, zeros, and its length in bits. */
function padded(bytes: Uint8Array, block: number): DataView {
  const length = Math.ceil((bytes.length + 1 + block / 8) / block) * block;
  const blocks = new Uint8Array(length);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return view;
}

export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = padded(bytes, 64);
  const state = Int32Array.from(begin, highHalf);
  const w = new Int32Array(64);
  const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n));
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(start + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const x = w[i - 15] ?? 0;
      const y = w[i - 2] ?? 0;
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = (w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i += 1) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (rounds32[i] ?? 0) + (w[i] ?? 0)) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setInt32(4 * i, word);
  return new Uint8Array(digest.buffer);
}

export function sha512(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = padded(bytes, 128);
  const state = [...begin];
  const w: bigint[] = [];
  const turn = (x: bigint, n: bigint) => (x >> n) | ((x << (64n - n)) & MASK);
  for (let start = 0; start < view.byteLength; start += 128) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getBigUint64(start + 8 * i);
    for (let i = 16; i < 80; i += 1) {
      const x = w[i - 15] ?? 0n;
      const y = w[i - 2] ?? 0n;
      const s0 = turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n);
      const s1 = turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n);
      w[i] = ((w[i - 16] ?? 0n) + s0 + (w[i - 7] ?? 0n) + s1) & MASK;
    }
    let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state;
    for (let i = 0; i < 80; i += 1) {
      const s1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
      const t1 = h + s1 + (g ^ (e & (f ^ g))) + (rounds[i] ?? 0n) + (w[i] ?? 0n);
      const s0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + t1) & MASK;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) & MASK;
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0n) + word) & MASK;
  }
  const digest = new DataView(new ArrayBuffer(64));
  for (const [i, word] of state.entries()) digest.setBigUint64(8 * i, word);
  return new Uint8Array(digest.buffer);
}
