import { expect, test } from 'vitest';
import { readProgress } from '#api/proof/tree.ts';
import { encodeEvents } from '#core/event-store/codec.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { cause, eventId, newJobStream, samples } from '#tests/event-store/samples.ts';
import { proofStage } from '#tests/support/log/proof-stage.ts';

const stage = proofStage();

/** Changes what stands beside an event, as the owner of the database can, whose key it is not. */
async function change(position: number, meta: string): Promise<void> {
  await stage.admin().query("set session_replication_role = 'replica'");
  await stage.admin().query(`update event_store.events set meta = ${meta} where pos = $1`, [position]);
}

/** Appends an event that fits its chain, as who may write the tables can, but not make a MAC. */
async function appendFromOutside(): Promise<void> {
  const { pool, connectionString } = stage.options();
  const stream = newJobStream();
  const event = { id: eventId(stream, 0), event: samples.JobAccepted };
  const events = encodeEvents({ stream, revision: -1, previous: null }, [event], cause, new Map());
  await openEmbeddedLog({ pool, connectionString }).append(stream, 'no-stream', events);
}

const size = async () => (await readProgress(stage.pool())).size;

test('events that the product appended carry a MAC that fits', async () => {
  await stage.seed(20);
  await stage.prove();
  expect(await stage.stopped()).toBeNull();
  expect(await size()).toBe(20);
});

test('an event without one stops the proof', async () => {
  await stage.seed(4);
  await stage.prove();
  await stage.seed(2);
  await change(6, `meta - 'mac'`);
  await stage.prove();
  expect(await stage.stopped()).toBe('mac-missing');
  expect(await size()).toBe(4);
  expect(await stage.checkpoints()).toHaveLength(1);
});

test.each([0, 2, 5])('one that was put in from outside does, with %i events before it', async (before) => {
  if (before > 0) await stage.seed(before);
  await appendFromOutside();
  await stage.seed(3);
  await stage.prove();
  expect(await stage.stopped()).toBe('mac-missing');
  expect(await stage.checkpoints()).toEqual([]);
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
