import { describe, expect, test } from 'vitest';
import { rebuildTree } from '#api/proof/rebuild.ts';
import { readProgress } from '#api/proof/tree.ts';
import type { JsonObject } from '#core/kernel/canonical-json.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';
import { rewriteStream } from '#tests/support/log/running-log.ts';

const stage = proofStage();

describe('nothing inconsistent is signed', () => {
  /** Changes an event as the owner of the database can: with all chains of its stream computed anew. */
  async function rewrite(position: number): Promise<void> {
    const { rows } = await stage
      .admin()
      .query<{ stream: string }>('select stream from event_store.events where pos = $1', [position]);
    const change = ({ pos, data }: { pos: string; data: JsonObject }) =>
      Number(pos) === position ? { ...data, businessId: 'b2' } : data;
    await rewriteStream(stage.admin(), rows[0]?.stream ?? '', stage.options().macKey, change);
  }

  test('after the end of the log was rewritten', async () => {
    await stage.seed(20);
    await stage.prove();
    await rewrite(14);
    await stage.seed(1);
    await stage.prove();
    expect(await stage.stopped()).toBe('log-changed');
    expect(await stage.checkpoints()).toHaveLength(1);
    await stage.seed(1);
    await stage.prove();
    expect((await readProgress(stage.pool())).size).toBe(21);
  });

  test('after an early event was rewritten and the stored tree made to fit', async () => {
    await stage.seed(300);
    await stage.prove();
    const [signed] = await stage.checkpoints();
    await rewrite(14);
    expect((await rebuildTree(stage.pool(), stage.store(), { signal: stage.never })).misfits).toEqual([
      signed,
    ]);
    const { rows } = await stage
      .admin()
      .query<{ note: string }>('delete from proof.checkpoints returning note');
    expect(rows).toHaveLength(1);
    expect((await rebuildTree(stage.pool(), stage.store(), { signal: stage.never })).differing).toEqual([0]);
    await stage.seed(1);
    await stage.prove();
    expect(await stage.stopped()).toBe('outside-differs');
    expect(await stage.checkpoints()).toEqual([]);
  });

  test('after the last events were cut off', async () => {
    await stage.seed(20);
    await stage.prove();
    await stage.admin().query("set session_replication_role = 'replica'");
    await stage.admin().query('delete from event_store.events where pos > 18');
    await stage.seed(1);
    await stage.prove();
    expect(await stage.stopped()).toBeNull();
    await stage.seed(1);
    await stage.seed(1);
    await stage.prove();
    expect(await stage.stopped()).toBe('log-changed');
  });

  test('after a row of the database began an epoch that no key of ours began', async () => {
    await stage.seed(20);
    await stage.prove();
    await stage.pool().query(
      `insert into proof.log (epoch, origin, from_size, why)
       select 2, origin || '.2', 15, 'continues it at 15; 5 events were lost' from proof.log`,
    );
    await stage.seed(1);
    await stage.prove();
    expect(await stage.stopped()).toBe('epoch-unsigned');
    expect((await stage.checkpoints()).map(({ size }) => size)).toEqual([20]);
  });

  test('after another program wrote into the log', async () => {
    await stage.seed(2);
    await stage.admin().query(
      `insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
      values (3, 'other-1', 0, gen_random_uuid(), 'Other', 1, now(), '{}', '{}')`,
    );
    await stage.prove();
    expect(await stage.stopped()).toBe('foreign-event');
    expect(await stage.checkpoints()).toEqual([]);
  });
});

test('a process that has lost its lead unnoticed stops nothing when the next one signs more than it has read', async () => {
  await stage.seed(20);
  await stage.prove();
  await stage.seed(1);
  const { outlet } = stage.options();
  let isOvertaken = false;
  const newest = async () => {
    if (!isOvertaken) {
      isOvertaken = true;
      await stage.seed(5);
      await stage.prove();
    }
    return outlet.newest();
  };
  await stage.prove({ outlet: { ...outlet, newest } });
  expect(await stage.stopped()).toBeNull();
  await stage.seed(1);
  await stage.prove();
  const sizes = (await stage.checkpoints()).map(({ size }) => size);
  expect(sizes).toEqual([20, 26, 27]);
});
