import { describe, expect, test } from 'vitest';
import { chainHash, type Unhashed } from '#core/event-store/chain.ts';
import { rebuildTree } from '#projections/proof/rebuild.ts';
import { readProgress } from '#projections/proof/tree.ts';
import { proofStage } from '#tests/support/proof-stage.ts';

const stage = proofStage();

describe('nothing inconsistent is signed', () => {
  /** Changes an event as the owner of the database can: with all chains of its stream computed anew. */
  async function rewrite(position: number): Promise<void> {
    const { rows } = await stage.admin().query<Stored>(
      `select pos::text, stream, revision, id, type, schema,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, data, meta
      from event_store.events where stream = (select stream from event_store.events where pos = $1) order by revision`,
      [position],
    );
    let previous: string | null = null;
    for (const { pos, meta, ...event } of rows) {
      const { hash: _, ...metadata } = meta;
      const data = Number(pos) === position ? { ...event.data, businessId: 'b2' } : event.data;
      previous = chainHash(previous, { ...event, data, metadata } as Unhashed);
      await stage.admin().query("set session_replication_role = 'replica'");
      await stage
        .admin()
        .query('update event_store.events set data = $2, meta = $3 where pos = $1', [
          pos,
          data,
          { ...metadata, hash: previous },
        ]);
    }
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

type Stored = Unhashed & { pos: string; meta: Record<string, string> };
