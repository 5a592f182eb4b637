/**
 * The hash tree of RFC 6962, section 2.1 over a list of leaves. Nothing here knows where leaves are stored: the roots of full
 * subtrees are asked for, and SHA-256 is given, so that a server and a browser run the same code.
 */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** The root of the full subtree of 2^`level` leaves whose first leaf is leaf `n` · 2^`level`; of level 0 the leaf's hash. */
export type Subtree = (level: number, n: number) => Promise<Uint8Array>;

/** The prefixes keep a node from passing as a leaf, and a leaf as a node. */
const LEAF = 0;
const NODE = 1;

/** The hash of leaf `entry`. */
export function leafHash(sha256: Sha256, entry: Uint8Array): Uint8Array {
  return sha256(joined(LEAF, entry));
}

/** The hash of the node above two hashes. */
export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(joined(NODE, left, right));
}

/** The root of a full subtree of these leaves' hashes: their number is a power of two. */
export function fullRoot(sha256: Sha256, leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves;
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: below.length / 2 }, (_, n) =>
      nodeHash(sha256, below[2 * n] as Uint8Array, below[2 * n + 1] as Uint8Array),
    );
  }
  const [root] = level;
  if (!root) throw new RangeError('a subtree has at least one leaf');
  return root;
}

/** The root of the tree of the first `size` leaves. */
export async function rootOf(sha256: Sha256, subtree: Subtree, size: number): Promise<Uint8Array> {
  return size === 0 ? sha256(new Uint8Array()) : rootOfRange(sha256, subtree, 0, size);
}

/** The root of leaves that come one after the other: keeps one hash per level. */
export type GrowingTree = Readonly<{
  /** Takes the hash of the next leaf. */
  push(leaf: Uint8Array): void;
  size(): number;
  root(): Uint8Array;
  /** With `size`, all that it takes to go on growing the same tree. */
  peaks(): Uint8Array[];
}>;

/** How far a tree has grown. `peaks` are the roots of its full subtrees, largest first: their sizes are the powers of two of `size`. */
export type GrownTree = Readonly<{ size: number; peaks: readonly Uint8Array[] }>;

/** A tree that grows, from nothing or from where another stood. */
export function growingTree(sha256: Sha256, from: GrownTree = { size: 0, peaks: [] }): GrowingTree {
  const peaks = [...from.peaks];
  let { size } = from;
  return {
    push(leaf) {
      let hash = leaf;
      for (let rest = size; isOdd(rest); rest = half(rest))
        hash = nodeHash(sha256, peaks.pop() as Uint8Array, hash);
      peaks.push(hash);
      size += 1;
    },
    size: () => size,
    peaks: () => [...peaks],
    root: () =>
      peaks.length === 0
        ? sha256(new Uint8Array())
        : peaks.reduceRight((right, left) => nodeHash(sha256, left, right)),
  };
}

/** The hashes from which `verifyInclusion` computes the root of `size` leaves, from the leaf up. */
export async function inclusionProof(
  sha256: Sha256,
  subtree: Subtree,
  { index, size }: { index: number; size: number },
): Promise<Uint8Array[]> {
  if (!(index >= 0 && index < size)) throw new RangeError('the leaf is not in the tree');
  const proof: Uint8Array[] = [];
  let [start, length] = [0, size];
  while (length > 1) {
    const left = leftOf(length);
    const isLeft = index - start < left;
    proof.unshift(
      isLeft
        ? await rootOfRange(sha256, subtree, start + left, length - left)
        : await rootOfRange(sha256, subtree, start, left),
    );
    [start, length] = isLeft ? [start, left] : [start + left, length - left];
  }
  return proof;
}

/** The hashes that show that the first `from` of `to` leaves are the tree that had `from` leaves; none where they are equal. */
export async function consistencyProof(
  sha256: Sha256,
  subtree: Subtree,
  { from, to }: { from: number; to: number },
): Promise<Uint8Array[]> {
  if (!(from > 0 && from <= to))
    throw new RangeError('the older tree has leaves, and no more than the newer');
  const proof: Uint8Array[] = [];
  let [start, length, old] = [0, to, from];
  // The older root itself is known to who asks, as long as it is a subtree of the newer tree.
  let isOldRoot = true;
  while (old < length) {
    const left = leftOf(length);
    if (old <= left) {
      proof.unshift(await rootOfRange(sha256, subtree, start + left, length - left));
      length = left;
    } else {
      proof.unshift(await rootOfRange(sha256, subtree, start, left));
      [start, length, old] = [start + left, length - left, old - left];
      isOldRoot = false;
    }
  }
  if (!isOldRoot) proof.unshift(await rootOfRange(sha256, subtree, start, length));
  return proof;
}

/** Whether `proof` leads from a leaf's hash at `index` to `root`, the root of `size` leaves (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  sha256: Sha256,
  leaf: Uint8Array,
  { index, size, root }: { index: number; size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size))
    return false;
  let [place, last, hash] = [index, size - 1, leaf];
  for (const other of proof) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      hash = nodeHash(sha256, other, hash);
      while (!isOdd(place) && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      hash = nodeHash(sha256, hash, other);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && equalBytes(hash, root);
}

export type TreeHead = Readonly<{ size: number; root: Uint8Array }>;

/** Whether `proof` shows that the tree `newer` begins with all leaves of the tree `older` (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(
  sha256: Sha256,
  older: TreeHead,
  newer: TreeHead,
  proof: readonly Uint8Array[],
): boolean {
  const sizes = [older.size, newer.size];
  if (!sizes.every((size) => Number.isSafeInteger(size) && size > 0) || older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && equalBytes(older.root, newer.root);
  const [first, ...rest] = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof;
  if (!first) return false;
  let [place, last] = [older.size - 1, newer.size - 1];
  while (isOdd(place)) [place, last] = [half(place), half(last)];
  let [old, young] = [first, first];
  for (const other of rest) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      old = nodeHash(sha256, other, old);
      young = nodeHash(sha256, other, young);
      while (!isOdd(place) && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      young = nodeHash(sha256, young, other);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && equalBytes(old, older.root) && equalBytes(young, newer.root);
}

async function rootOfRange(
  sha256: Sha256,
  subtree: Subtree,
  start: number,
  length: number,
): Promise<Uint8Array> {
  if (isPowerOfTwo(length)) return subtree(Math.log2(length), start / length);
  const left = leftOf(length);
  return nodeHash(
    sha256,
    await subtree(Math.log2(left), start / left),
    await rootOfRange(sha256, subtree, start + left, length - left),
  );
}

/** How many of these leaves are left of the root: the largest power of two below their number. */
function leftOf(length: number): number {
  return 2 ** Math.ceil(Math.log2(length) - 1);
}

// Sizes may pass 2^31, which the operators for bits cannot count.
const half = (n: number) => Math.floor(n / 2);
const isOdd = (n: number) => n % 2 === 1;
const isPowerOfTwo = (n: number) => Number.isInteger(Math.log2(n));

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, n) => byte === b[n]);
}

function joined(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(1 + parts.reduce((length, part) => length + part.length, 0));
  bytes[0] = prefix;
  let at = 1;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
