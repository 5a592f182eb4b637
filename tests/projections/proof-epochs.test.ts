import { beforeEach, describe, expect, test } from 'vitest';
import { isBinding, openEpoch, readEpochs, refuseCutLog } from '#api/proof/epochs.ts';
import { continueLog } from '#api/proof/restored-log.ts';
import { rootsAt } from '#api/proof/roots.ts';
import { noteSigner, signNote } from '#core/crypto/note.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type CheckpointBody, writeCheckpoint } from '#core/proof/checkpoint.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();
const logKeys = [Buffer.alloc(32, 1)];
let origin: string;

/** A log of four events in a database that knows its first epoch alone. */
beforeEach(async () => {
  await stage.seed(4);
  ({ origin } = await openEpoch(stage.pool(), 'jobs.example.com'));
});

/** What was published of the log under this name; a size beyond its end has a root of its own. */
async function published(size: number, of = origin): Promise<CheckpointBody> {
  const { roots } = await rootsAt(stage.store(), [size], { signal: stage.never });
  return { origin: of, size, root: roots.get(size) ?? Buffer.alloc(32, size) };
}

function handOut(body: CheckpointBody): void {
  const [key = Buffer.alloc(32)] = logKeys;
  stage.outside().push(signNote(writeCheckpoint(body), [noteSigner(body.origin, key)], new Date(0)));
}

const start = () => refuseCutLog(stage.pool(), stage.store(), stage.options().outlet, logKeys);

async function goOn(checkpoints: readonly CheckpointBody[]): Promise<number> {
  const sizes = checkpoints.map(({ size }) => size);
  const log = await rootsAt(stage.store(), sizes, { signal: stage.never });
  return inTransaction(stage.pool(), (db) => continueLog(db, checkpoints, log, { logKeys, at: new Date(0) }));
}

const epochs = async () => (await readEpochs(stage.pool())).map(({ origin, from }) => [origin, from]);

test('a checkpoint binds up to where any later epoch begins', () => {
  const [one, two, three] = ['', '.2', '.3'].map((end) => `jobs.example.com/log/00000000${end}`);
  const all = [
    { epoch: 1, origin: one, from: 0 },
    { epoch: 2, origin: two, from: 4 },
    { epoch: 3, origin: three, from: 3 },
  ].map((epoch) => ({ ...epoch, origin: epoch.origin ?? '', why: null }));
  const binds = (of: string | undefined, size: number, known = all) =>
    isBinding(known, { origin: of ?? '', size, root: new Uint8Array() });
  expect([3, 4, 5].map((size) => binds(one, size))).toEqual([true, false, false]);
  expect([4, 9].map((size) => binds(two, size))).toEqual([false, false]);
  expect([4, 9].map((size) => binds(three, size))).toEqual([true, true]);
  // A database that was taken back may know of no such epoch.
  const withoutTwo = all.filter(({ epoch }) => epoch !== 2);
  expect(binds(two, 9, withoutTwo)).toBe(false);
  expect(binds('other.example.com/log/00000000', 9)).toBe(true);
});

describe('a database from before an epoch of its log', () => {
  test.each([3, 4, 9])('does not start where a checkpoint of %i events is out', async (size) => {
    handOut(await published(size, `${origin}.2`));
    await expect(start()).rejects.toThrow(
      `The database is older than checkpoint ${size} in CHECKPOINTS_TO: it knows nothing of epoch 2 of the log. Nothing was changed. If you took Postgres back`,
    );
  });

  test('goes on under a name that no checkpoint has', async () => {
    const out = [await published(4), await published(7), await published(9, `${origin}.2`)];
    expect(await goOn(out)).toBe(5);
    expect(await epochs()).toEqual([
      [origin, 0],
      [`${origin}.3`, 4],
    ]);
    expect(await goOn(out)).toBe(0);
    expect(await epochs()).toHaveLength(2);
    handOut(await published(9, `${origin}.2`));
    await start();
  });

  test('goes on where its log has all that is out', async () => {
    const out = [await published(3), await published(4, `${origin}.2`)];
    await stage.seed(2);
    expect(await goOn(out)).toBe(0);
    expect(await epochs()).toEqual([
      [origin, 0],
      [`${origin}.3`, 4],
    ]);
  });
});

test('an epoch that no key of ours began loses no events', async () => {
  await stage
    .pool()
    .query('insert into proof.log (epoch, origin, from_size) values (2, $1, 4)', [`${origin}.2`]);
  expect(await goOn([await published(4), await published(7)])).toBe(3);
  expect(await epochs()).toHaveLength(3);
});
