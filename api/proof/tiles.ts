import type { Pool } from 'pg';
import { HASH_BYTES, inclusionProof, leafHash, nodeHash } from '#core/crypto/merkle.ts';
import type { Position } from '#core/event-store/port.ts';
import type { LeafRun, StoredLog } from '#core/event-store/raw-log.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { FANOUT, LOWEST_LEVEL, type ProvenSize, provenSize, sha256, TOP_LEVEL } from './tree.ts';

/** Tiles in memory at most, of 16 kB each; and those of leaves that are read in one query. */
const MOST_TILES = 256;
const AT_ONCE = 128;

/**
 * 256 nodes that stand next to each other on one level of the tree, and all full nodes above them but the root: the hashes of each
 * level in one piece. The last tile of a level may have fewer. One of leaves has their positions in the log.
 */
type Tile = Readonly<{ levels: readonly Buffer[]; positions: BigUint64Array | null }>;

/** Proofs that events stand in a log of one size, for many of them: what was read of the tree is cached as far as memory is bounded. */
export type ProofReader = Readonly<{
  /** Where these events stand among the leaves; null for one that came later. What proofs of them need is read together. */
  findLeaves(positions: readonly Position[]): Promise<(number | null)[]>;
  /** The hashes that show that a leaf is in the log. */
  proveInclusion(index: number): Promise<Uint8Array[]>;
  /** That the log is the one that had so many leaves, for each of these sizes. What proofs of them need is read together. */
  proveSizes(sizes: readonly number[]): Promise<ProvenSize[]>;
}>;

/** Proofs for the log of `size` leaves, which the tree has reached. */
export async function openProofs(
  db: Pool,
  log: Pick<StoredLog, 'readLeafRuns'>,
  size: number,
): Promise<ProofReader> {
  const starts = await readStarts(db, Math.ceil(size / FANOUT));
  const tiles = new Map<string, Tile>();

  /** The tile goes first in which events were looked for longest ago. */
  function keep(key: string, tile: Tile): Tile {
    tiles.delete(key);
    tiles.set(key, tile);
    const [oldest] = tiles.keys();
    if (tiles.size > MOST_TILES && oldest !== undefined) tiles.delete(oldest);
    return tile;
  }

  async function readLeafTiles(wanted: readonly number[]): Promise<void> {
    const missing = wanted.filter((n) => {
      const known = tiles.get(`0/${n}`);
      if (known) keep(`0/${n}`, known);
      return !known;
    });
    if (missing.length === 0) return;
    const runs = await log.readLeafRuns(
      missing.map((n) => String(starts[n])),
      FANOUT,
    );
    for (const [at, n] of missing.entries()) keep(`0/${n}`, leafTile(runs[at] as LeafRun));
  }

  async function tileAt(level: number, n: number): Promise<Tile> {
    const key = `${level}/${n}`;
    const known = tiles.get(key);
    if (known) return known;
    if (level > 0) return keep(key, { levels: levelsAbove(await readNodes(db, level, n)), positions: null });
    await readLeafTiles([n]);
    return tiles.get(key) as Tile;
  }

  async function subtree(level: number, n: number): Promise<Uint8Array> {
    const stored = Math.min(level - (level % LOWEST_LEVEL), TOP_LEVEL);
    const inTile = FANOUT / 2 ** (level - stored);
    const { levels } = await tileAt(stored, Math.floor(n / inTile));
    const node = hashAt(levels[level - stored] as Buffer, n % inTile);
    if (node.length !== HASH_BYTES) throw new Error(`the tree lacks node ${n} of level ${level}`);
    return node;
  }

  return {
    async findLeaves(positions) {
      const wanted = positions.map(BigInt);
      const tilesOf = wanted.map((position) => countBelow(starts, position) - 1);
      const indexes = new Map<bigint, number>();
      const each = [...new Set(tilesOf.filter((n) => n >= 0))];
      for (let from = 0; from < each.length; from += AT_ONCE) {
        const some = new Set(each.slice(from, from + AT_ONCE));
        await readLeafTiles([...some]);
        for (const [at, n] of tilesOf.entries()) {
          if (!some.has(n)) continue;
          const position = wanted[at] as bigint;
          const place = tiles.get(`0/${n}`)?.positions?.indexOf(position) ?? -1;
          if (place >= 0 && n * FANOUT + place < size) indexes.set(position, n * FANOUT + place);
        }
      }
      return wanted.map((position) => indexes.get(position) ?? null);
    },
    proveInclusion: (index) => inclusionProof(sha256, subtree, { index, size }),
    async proveSizes(sizes) {
      const proven: ProvenSize[] = [];
      for (let from = 0; from < sizes.length; from += AT_ONCE) {
        const some = sizes.slice(from, from + AT_ONCE);
        // What is full is in a tile of a higher level.
        const ends = some.filter((one) => one % FANOUT !== 0).map((one) => Math.floor(one / FANOUT));
        await readLeafTiles([...new Set(ends)]);
        for (const one of some) proven.push(await provenSize(subtree, one, size));
      }
      return proven;
    },
  };
}

/** After which position each leaf 256·n begins: eight bytes for 256 events. */
async function readStarts(db: Pool, amount: number): Promise<BigUint64Array> {
  const { rows } = await db.query<{ starts: Position[] | null }>(
    plannedOnce('select json_agg(after_position::text order by n) as starts from proof.marks where n < $1', [
      amount,
    ]),
  );
  return BigUint64Array.from(rows[0]?.starts ?? [], BigInt);
}

/** How many of these ascending numbers are below one. */
function countBelow(numbers: BigUint64Array, one: bigint): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as bigint) < one) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function readNodes(db: Pool, level: number, tile: number): Promise<Buffer> {
  const { rows } = await db.query<{ hashes: Buffer | null }>(
    plannedOnce(
      `select string_agg(hash, ''::bytea order by n) as hashes from proof.nodes
      where level = $1 and n >= $2 and n < $3`,
      [level, tile * FANOUT, (tile + 1) * FANOUT],
    ),
  );
  return rows[0]?.hashes ?? Buffer.alloc(0);
}

function leafTile({ positions, hashes }: LeafRun): Tile {
  const leaves = Buffer.alloc(hashes.length);
  for (const n of positions.keys()) leaves.set(leafHash(sha256, hashAt(hashes, n)), n * HASH_BYTES);
  return { levels: levelsAbove(leaves), positions: BigUint64Array.from(positions, BigInt) };
}

/** These nodes, and the full ones on each of the levels above them. */
function levelsAbove(nodes: Buffer): Buffer[] {
  const levels = [nodes];
  for (let below = nodes; levels.length < LOWEST_LEVEL; below = levels.at(-1) as Buffer) {
    const amount = Math.floor(below.length / HASH_BYTES / 2);
    const level = Buffer.alloc(amount * HASH_BYTES);
    for (let n = 0; n < amount; n += 1)
      level.set(nodeHash(sha256, hashAt(below, 2 * n), hashAt(below, 2 * n + 1)), n * HASH_BYTES);
    levels.push(level);
  }
  return levels;
}

function hashAt(hashes: Buffer, n: number): Buffer {
  return hashes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES);
}
