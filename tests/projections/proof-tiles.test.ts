import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { provesInclusion } from '#api/proof/read.ts';
import { openProofs } from '#api/proof/tiles.ts';
import { growTree, readProgress, sha256, storedRoot } from '#api/proof/tree.ts';
import { leafHash, verifyInclusion } from '#core/crypto/merkle.ts';
import { type LogLeaf, type StoredLog, toRun } from '#core/event-store/raw-log.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();

/** A log of so many leaves at every seventh position, and how often runs of it were read. */
function syntheticLog(amount: number) {
  const leaves: LogLeaf[] = Array.from({ length: amount }, (_, n) => ({
    position: String((n + 1) * 7),
    at: new Date(n).toISOString(),
    hash: createHash('sha256').update(String(n)).digest(),
    mac: null,
  }));
  let runs = 0;
  const readLeaves: StoredLog['readLeaves'] = async (after, limit) =>
    leaves.slice(Number(after) / 7, Number(after) / 7 + limit);
  const readLeafRuns: StoredLog['readLeafRuns'] = async (after, limit) => {
    runs += 1;
    return Promise.all(after.map(async (one) => toRun(await readLeaves(one, limit))));
  };
  return { leaves, readLeaves, readLeafRuns, runs: () => runs };
}

async function grow({ leaves }: ReturnType<typeof syntheticLog>): Promise<void> {
  for (let from = 0; from < leaves.length; from += 4_000)
    await growTree(stage.pool(), await readProgress(stage.pool()), leaves.slice(from, from + 4_000));
}

test('proofs for a size are those of the tree, leaf by leaf, also while it grows on', async () => {
  await stage.seed(700);
  await stage.prove();
  const store = stage.store();
  for (const size of [1, 2, 255, 256, 257, 512, 643]) {
    const proofs = await openProofs(stage.pool(), store, size);
    const events = await store.readAll('0', 700);
    const indexes = await proofs.findLeaves(events.map(({ position }) => position));
    expect(indexes).toEqual(events.map((_, n) => (n < size ? n : null)));
    const some = [0, 1, 100, 254, 255, 256, 300, 511, 512, 642].filter((index) => index < size);
    const expected = await provesInclusion(stage.pool(), store, { indexes: some, size });
    const found = await Promise.all(some.map(proofs.proveInclusion));
    expect(found.map((one) => one.map((hash) => Buffer.from(hash).toString('hex')))).toEqual(
      expected.map((one) => one.map((hash) => Buffer.from(hash).toString('hex'))),
    );
  }
});

test('more of a log than is kept at once is read again, and what many proofs need together', async () => {
  const log = syntheticLog(110_000);
  await grow(log);
  const size = 109_999;
  const root = await storedRoot(stage.pool(), log, size);
  const proofs = await openProofs(stage.pool(), log, size);
  // One leaf of each of 430 subtrees, of which 256 are kept.
  const some = log.leaves.filter((_, n) => n % 256 === 77);
  const indexes = await proofs.findLeaves([...some.map(({ position }) => position), '3', '770000000']);
  expect(indexes).toEqual([...some.map((_, n) => n * 256 + 77), null, null]);
  expect(log.runs()).toBe(4);
  for (const index of [77, 77 + 256 * 300, 77 + 256 * 429, 65_535, 65_536, 109_998]) {
    const leaf = leafHash(sha256, log.leaves[index]?.hash ?? Buffer.alloc(0));
    const proof = await proofs.proveInclusion(index);
    expect(verifyInclusion(sha256, leaf, { index, size, root }, proof), String(index)).toBe(true);
  }
});
