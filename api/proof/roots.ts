import { growingTree, leafHash } from '#core/crypto/merkle.ts';
import { type Position, START } from '#core/event-store/port.ts';
import type { LeafReader, LogLeaf } from '#core/event-store/raw-log.ts';
import { sha256 } from './tree.ts';

/** Leaves of one read: with the events that carry them a page is read in some ten milliseconds. */
const PAGE = 4_096;

export type WalkOptions = Readonly<{
  /** Aborted, the walk throws the reason. */
  signal: AbortSignal;
  onProgress?: (position: Position) => void;
}>;

/** The leaves of the log from its first event, page by page, up to its end or `size` leaves. Throws `ForeignEventError`. */
export async function* walkLeaves(
  log: LeafReader,
  { signal, onProgress }: WalkOptions,
  size = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly LogLeaf[]> {
  let after: Position = START;
  for (let walked = 0; walked < size; ) {
    signal.throwIfAborted();
    const page = await log.readLeaves(after, Math.min(PAGE, size - walked));
    if (page.length === 0) return;
    yield page;
    walked += page.length;
    after = page.at(-1)?.position ?? after;
    onProgress?.(after);
  }
}

/**
 * The root of the log at each of these sizes, computed from the log alone. Those beyond its end are left out: `size` says
 * how many leaves it has, up to the largest that was asked for.
 */
export async function rootsAt(
  log: LeafReader,
  sizes: readonly number[],
  options: WalkOptions,
): Promise<Readonly<{ size: number; roots: ReadonlyMap<number, Uint8Array> }>> {
  const wanted = new Set(sizes);
  const roots = new Map<number, Uint8Array>();
  const tree = growingTree(sha256);
  const note = () => {
    if (wanted.has(tree.size())) roots.set(tree.size(), tree.root());
  };
  note();
  for await (const page of walkLeaves(log, options, Math.max(0, ...sizes))) {
    for (const { hash } of page) {
      tree.push(leafHash(sha256, hash));
      note();
    }
  }
  return { size: tree.size(), roots };
}
