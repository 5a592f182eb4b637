import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  consistencyProof,
  fullRoot,
  growingTree,
  inclusionProof,
  leafHash,
  nodeHash,
  rootOf,
  type Sha256,
  type Subtree,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts';

const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const LARGEST = 300;
const leaves = Array.from({ length: LARGEST }, (_, n) => leafHash(sha256, Buffer.from(`entry ${n}`)));

const subtree: Subtree = async (level, n) =>
  fullRoot(sha256, leaves.slice(n * 2 ** level, (n + 1) * 2 ** level));

/** RFC 6962, section 2.1 word for word. */
function naiveRoot(list: readonly Uint8Array[]): Uint8Array {
  if (list.length === 0) return sha256(new Uint8Array());
  if (list.length === 1) return list[0] as Uint8Array;
  let k = 1;
  while (k * 2 < list.length) k *= 2;
  return nodeHash(sha256, naiveRoot(list.slice(0, k)), naiveRoot(list.slice(k)));
}

/** RFC 6962, section 2.1.1 word for word: PATH(m, D[n]). */
function naivePath(m: number, list: readonly Uint8Array[]): Uint8Array[] {
  if (list.length <= 1) return [];
  let k = 1;
  while (k * 2 < list.length) k *= 2;
  return m < k
    ? [...naivePath(m, list.slice(0, k)), naiveRoot(list.slice(k))]
    : [...naivePath(m - k, list.slice(k)), naiveRoot(list.slice(0, k))];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Buffer.from(text, 'hex');

test('the roots of RFC 6962 in the vectors of certificate transparency', async () => {
  const entries = [
    ...['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'],
  ].map((entry) => leafHash(sha256, bytes(entry)));
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  for (const [size, root] of roots.entries()) {
    const part: Subtree = async (level, n) =>
      fullRoot(sha256, entries.slice(n * 2 ** level, (n + 1) * 2 ** level));
    expect(hex(await rootOf(sha256, part, size))).toBe(root);
  }
});

test('roots and proofs of leaves are those of the definition, for each size up to 300', async () => {
  for (let size = 1; size <= LARGEST; size += 1) {
    const list = leaves.slice(0, size);
    const root = await rootOf(sha256, subtree, size);
    expect(hex(root)).toBe(hex(naiveRoot(list)));
    for (const index of new Set([0, size >> 1, size - 1, (size * 7) % size, Math.max(0, size - 2)])) {
      const proof = await inclusionProof(sha256, subtree, { index, size });
      expect(proof.map(hex)).toEqual(naivePath(index, list).map(hex));
      expect(verifyInclusion(sha256, list[index] as Uint8Array, { index, size, root }, proof)).toBe(true);
    }
  }
});

test('a tree that grows leaf by leaf has the same roots', async () => {
  const tree = growingTree(sha256);
  for (let size = 0; size <= LARGEST; size += 1) {
    expect(tree.size()).toBe(size);
    expect(hex(tree.root())).toBe(hex(await rootOf(sha256, subtree, size)));
    if (size < LARGEST) tree.push(leaves[size] as Uint8Array);
  }
});

test('a tree goes on growing from what another has of itself', () => {
  for (const size of [0, 1, 2, 7, 8, 255, 256]) {
    const first = growingTree(sha256);
    for (const leaf of leaves.slice(0, size)) first.push(leaf);
    const second = growingTree(sha256, { size: first.size(), peaks: first.peaks() });
    for (const leaf of leaves.slice(size)) second.push(leaf);
    expect(first.size()).toBe(size);
    expect([second.size(), hex(second.root())]).toEqual([LARGEST, hex(naiveRoot(leaves))]);
  }
});

test('each older tree up to 300 is in each newer one', async () => {
  const roots = await Promise.all(leaves.map((_, n) => rootOf(sha256, subtree, n + 1)));
  const head = (size: number) => ({ size, root: roots[size - 1] as Uint8Array });
  for (let to = 1; to <= LARGEST; to += 1) {
    for (const from of new Set([1, to >> 1 || 1, to - 1 || 1, to, (to * 11) % to || 1])) {
      const proof = await consistencyProof(sha256, subtree, { from, to });
      expect(verifyConsistency(sha256, head(from), head(to), proof), `${from} in ${to}`).toBe(true);
    }
  }
});

describe('what is not so is refused', () => {
  const size = fc.integer({ min: 2, max: LARGEST });

  test('a leaf at another place, in another size, with a bit turned, a hash more or less', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), fc.nat(), async (of, pick, turn) => {
        const index = pick % of;
        const root = await rootOf(sha256, subtree, of);
        const leaf = leaves[index] as Uint8Array;
        const proof = await inclusionProof(sha256, subtree, { index, size: of });
        const refused = (
          ...[l, place, p]: Parameters<typeof verifyInclusion> extends [unknown, ...infer R] ? R : never
        ) => expect(verifyInclusion(sha256, l, place, p)).toBe(false);
        refused(leaf, { index: (index + 1) % of, size: of, root }, proof);
        refused(leaf, { index, size: of, root: turned(root, turn) }, proof);
        refused(turned(leaf, turn), { index, size: of, root }, proof);
        refused(leaf, { index, size: of, root }, [...proof, root]);
        refused(leaf, { index, size: of, root }, proof.slice(1));
        const at = turn % proof.length;
        refused(leaf, { index, size: of, root }, proof.with(at, turned(proof[at] as Uint8Array, pick)));
        refused(leaf, { index: of, size: of, root }, proof);
        refused(leaf, { index: -1, size: of, root }, proof);
      }),
    );
  });

  test('an older tree of which a leaf was changed, and a proof with a bit turned', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), fc.nat(), async (to, pick, turn) => {
        const from = 1 + (pick % (to - 1));
        const older = { size: from, root: await rootOf(sha256, subtree, from) };
        const newer = { size: to, root: await rootOf(sha256, subtree, to) };
        const proof = await consistencyProof(sha256, subtree, { from, to });
        const refused = (a: typeof older, b: typeof newer, p: readonly Uint8Array[]) =>
          expect(verifyConsistency(sha256, a, b, p)).toBe(false);
        refused({ ...older, root: turned(older.root, turn) }, newer, proof);
        refused(older, { ...newer, root: turned(newer.root, turn) }, proof);
        refused(newer, older, proof);
        refused(older, newer, [...proof, newer.root]);
        const at = turn % proof.length;
        refused(older, newer, proof.with(at, turned(proof[at] as Uint8Array, pick)));

        const rewritten = leaves.with(turn % from, leafHash(sha256, Buffer.from('another')));
        const changed: Subtree = async (level, n) =>
          fullRoot(sha256, rewritten.slice(n * 2 ** level, (n + 1) * 2 ** level));
        const forged = { size: to, root: await rootOf(sha256, changed, to) };
        refused(older, forged, await consistencyProof(sha256, changed, { from, to }));
      }),
    );
  });

  test('what lies outside of the tree', async () => {
    await expect(inclusionProof(sha256, subtree, { index: 3, size: 3 })).rejects.toThrow(RangeError);
    await expect(consistencyProof(sha256, subtree, { from: 0, to: 3 })).rejects.toThrow(RangeError);
    await expect(consistencyProof(sha256, subtree, { from: 4, to: 3 })).rejects.toThrow(RangeError);
    expect(() => fullRoot(sha256, [])).toThrow(RangeError);
  });
});

function turned(hash: Uint8Array, bit: number): Uint8Array {
  const place = bit % (hash.length * 8);
  return hash.map((byte, n) => (n === place >> 3 ? byte ^ (1 << (place & 7)) : byte));
}
