import { expect, test } from 'vitest';
import { forgetMacs } from '#api/proof/audit.ts';
import { rebuildTree } from '#api/proof/rebuild.ts';
import { readProgress } from '#api/proof/tree.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();
const DAY = 24 * 60;

/** Changes what stands beside an event, as the owner of the database can, whose key it is not. */
async function change(position: number, meta: string): Promise<void> {
  await stage.admin().query("set session_replication_role = 'replica'");
  await stage.admin().query(`update event_store.events set meta = ${meta} where pos = $1`, [position]);
}

const withoutMac = (position: number) => change(position, `meta - 'mac'`);
const size = async () => (await readProgress(stage.pool())).size;

test('events that the product appended carry a MAC that fits', async () => {
  await stage.seed(20);
  await stage.prove();
  expect(await stage.stopped()).toBeNull();
  expect(await size()).toBe(20);
});

test('events of an older release pass before the first MAC, and for a day after it', async () => {
  await stage.seed(4);
  await withoutMac(1);
  await withoutMac(2);
  await stage.prove();
  await stage.seed(2);
  await withoutMac(6);
  await stage.prove({}, DAY - 1);
  expect(await stage.stopped()).toBeNull();
  expect(await size()).toBe(6);
});

test('an event without one stops the proof from then on', async () => {
  await stage.seed(4);
  await stage.prove();
  await stage.seed(2);
  await withoutMac(6);
  await stage.prove({}, DAY + 1);
  expect(await stage.stopped()).toBe('mac-missing');
  expect(await size()).toBe(4);
  expect(await stage.checkpoints()).toHaveLength(1);
});

test('an event with a wrong one stops the proof at once', async () => {
  await stage.seed(4);
  await change(
    3,
    `meta || (select jsonb_build_object('mac', meta->>'mac') from event_store.events where pos = 2)`,
  );
  await stage.prove();
  expect(await stage.stopped()).toBe('mac-wrong');
  expect(await stage.checkpoints()).toEqual([]);
});

test('after an older release ran for a while the operator lets the proof go on, and another day passes', async () => {
  await stage.seed(4);
  await stage.prove();
  await stage.seed(2);
  await withoutMac(5);
  await stage.prove({}, DAY + 1);
  await rebuildTree(stage.pool(), stage.store(), { signal: stage.never });
  await stage.prove();
  expect(await stage.stopped()).toBe('mac-missing');
  await rebuildTree(stage.pool(), stage.store(), { signal: stage.never });
  await forgetMacs(stage.pool());
  await stage.prove();
  expect(await stage.stopped()).toBeNull();
  expect(await size()).toBe(6);
  await stage.seed(1);
  await withoutMac(7);
  await stage.prove({}, DAY + 1);
  expect(await stage.stopped()).toBe('mac-missing');
});
