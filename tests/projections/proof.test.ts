import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { describe, expect, test } from 'vitest';
import { startProof } from '#api/proof/follow.ts';
import { noteHandedOut } from '#api/proof/handed-out.ts';
import { findCheckpoint, readProofKeys } from '#api/proof/read.ts';
import { rebuildTree } from '#api/proof/rebuild.ts';
import { growTree, readProgress, sha256, storedRoot } from '#api/proof/tree.ts';
import { growingTree, leafHash } from '#core/crypto/merkle.ts';
import { openNote } from '#core/crypto/note.ts';
import type { LeafReader, LogLeaf } from '#core/event-store/raw-log.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { hex, proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();

describe('the tree', () => {
  test('grows with the log, and its root at each size is that of the log', async () => {
    for (const amount of [1, 254, 1, 1, 300, 90]) {
      await stage.seed(amount);
      await stage.prove();
      const { size } = await readProgress(stage.pool());
      expect(await stage.storedRoot(size)).toBe(await stage.logRoot(size));
    }
    expect((await stage.checkpoints()).map((one) => one.size)).toEqual([1, 255, 256, 257, 557, 647]);
    for (const body of await stage.checkpoints()) expect(hex(body.root)).toBe(await stage.logRoot(body.size));
    for (const size of [2, 128, 200, 511, 512, 513]) {
      expect(await stage.storedRoot(size)).toBe(await stage.logRoot(size));
    }
  });

  test('is the same over 66,000 leaves, for which nodes are stored on two levels', async () => {
    const log = syntheticLog(66_000);
    const tree = growingTree(sha256);
    const expected = new Map<number, string>();
    for (const [n, { hash }] of log.leaves.entries()) {
      tree.push(leafHash(sha256, hash));
      if ((n + 1) % 4_001 === 0 || (n + 1) % 65_536 < 2) expected.set(n + 1, hex(tree.root()));
    }
    for (let from = 0; from < log.leaves.length; from += 4_000) {
      const progress = await readProgress(stage.pool());
      await growTree(stage.pool(), progress, log.leaves.slice(from, from + 4_000));
    }
    for (const [size, root] of expected)
      expect(hex(await storedRoot(stage.pool(), log, size)), String(size)).toBe(root);
    const { rows } = await stage
      .pool()
      .query('select level, count(*)::int as n from proof.nodes group by 1 order by 1');
    expect(rows).toEqual([
      { level: 8, n: 257 },
      { level: 16, n: 1 },
    ]);
  });

  test('is made anew from the log, and says which of its nodes had been changed', async () => {
    await stage.seed(600);
    await stage.prove();
    const [before] = await stage.checkpoints();
    await stage.admin().query("update proof.nodes set hash = sha256('x') where n = 1");
    await stage.admin().query("update proof.progress set tail = '', stopped = 'inconsistent'");
    expect(await rebuildTree(stage.pool(), stage.store(), { signal: stage.never })).toEqual({
      size: 600,
      differing: [1],
      misfits: [],
    });
    expect(await stage.storedRoot(600)).toBe(hex(before?.root));
    await stage.seed(1);
    await stage.prove();
    expect(await stage.stopped()).toBeNull();
    expect((await stage.checkpoints()).map((one) => one.size)).toEqual([600, 601]);
  });
});

describe('checkpoints', () => {
  test('are signed by both keys, in the name of the log, and go outside', async () => {
    await stage.seed(3);
    await stage.prove();
    const checkpoint = await findCheckpoint(stage.pool());
    expect(checkpoint?.origin).toMatch(/^jobs\.example\.com\/log\/[0-9a-f]{8}$/);
    const opened = openNote(checkpoint?.note ?? '', await readProofKeys(stage.pool()));
    expect(opened).toMatchObject({ wrong: [], unknown: 0 });
    expect(opened?.signatures.map(({ at }) => at)).toEqual([null, stage.options().now()]);
    expect(stage.outside()).toEqual([checkpoint?.note]);
  });

  test('come once a minute at most, and none without something new', async () => {
    await stage.seed(1);
    await stage.prove({}, 0);
    await stage.seed(1);
    await stage.prove({}, 0);
    expect((await stage.checkpoints()).map((one) => one.size)).toEqual([1]);
    await stage.prove();
    await stage.prove();
    expect((await stage.checkpoints()).map((one) => one.size)).toEqual([1, 2]);
  });

  test('one that could not be handed out is handed out later', async () => {
    await stage.seed(1);
    const away = { ...stage.options().outlet, add: () => Promise.reject(new Error('disk full')) };
    await stage.prove({ outlet: away });
    expect(stage.outside()).toEqual([]);
    await stage.prove();
    expect(stage.outside()).toEqual([(await findCheckpoint(stage.pool()))?.note]);
  });

  test('old ones are thinned out to one of each hour, and after 90 days to one of each day', async () => {
    for (let n = 0; n < 6; n += 1) {
      await stage.seed(1);
      stage.pass(20);
      await stage.prove({}, 0);
    }
    stage.pass(2 * 24 * 60);
    await stage.seed(1);
    await stage.prove({}, 0);
    expect((await stage.checkpoints()).map((one) => one.size)).toEqual([2, 5, 6, 7]);
    stage.pass(91 * 24 * 60);
    await stage.seed(1);
    await stage.prove({}, 0);
    expect((await stage.checkpoints()).map((one) => one.size)).toEqual([6, 7, 8]);
  });
});

test('a checkpoint that went out in a mail is not thinned out', async () => {
  const [holder, at] = [streamName('job', 'one'), stage.options().now()];
  for (let n = 1; n <= 4; n += 1) {
    await stage.seed(1);
    await stage.prove();
    const newest = await findCheckpoint(stage.pool());
    if (n === 2 && newest) await noteHandedOut(stage.pool(), holder, newest, at);
  }
  for (const days of [2, 100]) {
    stage.pass(days * 24 * 60);
    await stage.seed(1);
    await stage.prove();
    const sizes = (await stage.checkpoints()).map((one) => one.size);
    expect(sizes).toContain(2);
    expect(sizes).not.toContain(1);
    expect(sizes).not.toContain(3);
  }
});

test('two followers leave no gap and sign each size once', async () => {
  // A minute later at each look, so that a checkpoint is due whenever something is new.
  const now = () => {
    stage.pass(1);
    return stage.options().now();
  };
  const [one, two] = [0, 1].map(() => startProof({ ...stage.options(), now, pollMs: 20 }));
  for (let n = 0; n < 12; n += 1) await stage.seed(40);
  await expect.poll(async () => (await findCheckpoint(stage.pool()))?.size).toBe(480);
  await Promise.all([one?.stop(), two?.stop()]);
  for (const body of await stage.checkpoints()) expect(hex(body.root)).toBe(await stage.logRoot(body.size));
});

test('a follower that dies before any of its statements goes on without a gap, and signs no size twice', async () => {
  await stage.seed(300);
  for (let dies = 1, isWhole = false; !isWhole; dies += 1) {
    await stage.seed(3);
    const { pool, calls } = failingPool(stage.pool(), dies);
    await stage.prove({ pool }).catch(() => undefined);
    isWhole = calls() < dies;
    await stage.prove();
    expect(await stage.stopped()).toBeNull();
    const { size } = await readProgress(stage.pool());
    expect(size).toBe(300 + 3 * dies);
    expect(await stage.storedRoot(size)).toBe(await stage.logRoot(size));
  }
  const made = await stage.checkpoints();
  expect(new Set(made.map((one) => one.size)).size).toBe(made.length);
  for (const body of made) expect(hex(body.root)).toBe(await stage.logRoot(body.size));
  expect(stage.outside().at(-1)).toBe((await findCheckpoint(stage.pool()))?.note);
});

function syntheticLog(amount: number): LeafReader & { leaves: LogLeaf[] } {
  const leaves = Array.from({ length: amount }, (_, n) => ({
    position: String((n + 1) * 7),
    at: new Date(n).toISOString(),
    hash: createHash('sha256').update(String(n)).digest(),
    mac: null,
  }));
  return {
    leaves,
    readLeaves: async (after, limit) => leaves.slice(Number(after) / 7, Number(after) / 7 + limit),
  };
}

/** A pool whose statement number `dies`, and each after it, fails as on a connection that is lost. */
function failingPool(pool: Pool, dies: number): { pool: Pool; calls(): number } {
  let calls = 0;
  const count = () => {
    calls += 1;
    if (calls >= dies)
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' });
  };
  const guarded = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(real, name) {
        const value = Reflect.get(real, name);
        if (typeof value !== 'function') return value;
        if (name === 'query') {
          return async (...args: unknown[]) => {
            count();
            return value.apply(real, args);
          };
        }
        if (name === 'connect') return async () => guarded(await value.apply(real));
        return value.bind(real);
      },
    });
  return { pool: guarded(pool), calls: () => calls };
}
