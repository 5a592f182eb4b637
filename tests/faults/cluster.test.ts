import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyChain } from '#core/event-store/chain.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import {
  createEventStoreDbEventStore,
  openEventStoreDbLog,
} from '#core/event-store/eventstoredb/event-store.ts';
import { type EventStore, START } from '#core/event-store/port.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { follow } from '#tests/event-store/subscriber.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { faultRounds } from '#tests/support/run/fault-rounds.ts';
import { type Cluster, startCluster } from '#tests/support/servers/eventstoredb/stages.ts';

const WRITERS = 4;
/** Appends that each writer gets acknowledged in a row before the log is called well. */
const STEADY = 10;
/** Five times what is promised: three seconds after the election. */
const WELL = 15_000;

let database: TestDatabase;
const dataKey = randomBytes(32);
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

type Place = Readonly<{ stream: StreamName; n: number; id: string }>;

/** Clients that append without end, each to a stream of its own, and say the same again until it is acknowledged. */
function startWriters(store: EventStore) {
  const acknowledged: Place[] = [];
  const inARow = new Array<number>(WRITERS).fill(0);
  let isStopped = false;
  const running = inARow.map(async (_, writer) => {
    const stream = newJobStream();
    for (let n = 0; !isStopped; n += 1) {
      const event = notes(stream, n);
      for (let isDone = false; !isDone; ) {
        try {
          await store.append(stream, n === 0 ? 'no-stream' : n - 1, [event], cause);
          acknowledged.push({ stream, n, id: event.id });
          inARow[writer] = (inARow[writer] ?? 0) + 1;
          isDone = true;
        } catch (error) {
          if (!(error instanceof EventStoreUnavailableError)) throw error;
          inARow[writer] = 0;
        }
      }
    }
  });
  return {
    acknowledged,
    /** Until every writer has had so many answers in a row, from now on. */
    async steady() {
      inARow.fill(0);
      await vi.waitFor(() => expect(Math.min(...inARow)).toBeGreaterThanOrEqual(STEADY), { timeout: WELL });
    },
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** A cluster whose first member leads. `elected` says when the others have a leader again. */
type Scene = Readonly<{ cluster: Cluster; elected(): void }>;

const faults: Record<string, (scene: Scene) => Promise<void> | void> = {
  'the leader is killed'({ cluster, elected }) {
    cluster.kill(cluster.nodes[0]);
    cluster.elect(cluster.nodes[1]);
    elected();
  },
  async 'the leader hangs'({ cluster, elected }) {
    cluster.freeze(cluster.nodes[0]);
    // The others need a while to notice; an append that finds no leader is refused meanwhile.
    await refused(cluster);
    cluster.elect(cluster.nodes[2]);
    elected();
  },
  'a seed that does not lead hangs'({ cluster, elected }) {
    cluster.freeze(cluster.nodes[1]);
    elected();
  },
  async 'a deposed leader comes back with events that no other has'({ cluster, elected }) {
    const [first, second] = cluster.nodes;
    cluster.freeze(first);
    await refused(cluster);
    cluster.elect(second);
    elected();
    cluster.thaw(first);
    await vi.waitFor(() => expect(first.unreplicated).toBeGreaterThan(0), { timeout: WELL });
  },
  async 'a deposed leader leaves to cut its log and returns'({ cluster, elected }) {
    const [first, second, third] = cluster.nodes;
    // Alone for a while: it takes appends that it can acknowledge to no client.
    second.leader = third.leader = null;
    await vi.waitFor(() => expect(first.unreplicated).toBeGreaterThan(0), { timeout: WELL });
    cluster.elect(third);
    first.leader = first;
    elected();
    await vi.waitFor(() => expect(first.unreplicated).toBeGreaterThan(0), { timeout: WELL });
    cluster.kill(first);
    await cluster.restart(first);
  },
};

/** Until the log was notified of no append for as long as one may take. */
async function refused({ log }: Cluster): Promise<void> {
  let [seen, since] = [log.all.length, performance.now()];
  await vi.waitFor(
    () => {
      if (log.all.length !== seen) [seen, since] = [log.all.length, performance.now()];
      expect(performance.now() - since).toBeGreaterThan(1_000);
    },
    { timeout: WELL },
  );
}

test.each(Object.keys(faults))(
  'in a cluster of three, when %s, appends go on steadily: nothing acknowledged is lost, nothing is there twice',
  async (kind) => {
    for (let round = 0; round < faultRounds; round += 1) {
      const cluster = await startCluster();
      const open = () => createEventStoreDbEventStore({ url: cluster.url(), pool: database.pool, dataKey });
      const store = open();
      const follower = follow(store, START, { batch: 50 });
      const writers = startWriters(store);
      await writers.steady();
      let electedAt = performance.now();
      await faults[kind]?.({
        cluster,
        elected: () => {
          electedAt = performance.now();
        },
      });
      await writers.steady();
      console.log(`${kind}: steady ${Math.round(performance.now() - electedAt)} ms after the election`);

      // A process that starts now finds the leader too, whichever seed hangs.
      const late = open();
      const stream = newJobStream();
      const event = notes(stream, randomUUID());
      await vi.waitFor(() => late.append(stream, 'no-stream', [event], cause), { timeout: WELL });
      await writers.stop();
      const wanted = [...writers.acknowledged.map(({ id }) => id), event.id].toSorted();
      await follower.until(({ events }) => events.length >= wanted.length);
      await follower.stop();
      expect(follower.seen.events.map(({ id }) => id).toSorted()).toEqual(wanted);
      expect(await chainFits(cluster)).toBe(true);
      await Promise.all([store.close(), late.close()]);
      await cluster.close();
    }
  },
  faultRounds * 90_000,
);

test('a subscriber that appends nothing itself leaves a leader that hangs', async () => {
  const cluster = await startCluster();
  const [first, second] = cluster.nodes;
  const open = () => createEventStoreDbEventStore({ url: cluster.url(), pool: database.pool, dataKey });
  const [reading, writing] = [open(), open()];
  const follower = follow(reading, START);
  await follower.until(({ caughtUp }) => caughtUp !== null);
  cluster.freeze(first);
  cluster.elect(second);
  const stream = newJobStream();
  const event = notes(stream, 0);
  await vi.waitFor(() => writing.append(stream, 'no-stream', [event], cause), { timeout: WELL });
  await follower.until(({ events }) => events.length === 1);
  await follower.stop();
  await Promise.all([reading.close(), writing.close()]);
  await cluster.close();
}, 90_000);

async function chainFits(cluster: Cluster): Promise<boolean> {
  const log = openEventStoreDbLog({ url: cluster.url() });
  const events = await vi.waitFor(() => log.readAll(START, 100_000), { timeout: WELL });
  await log.close();
  return (await verifyChain(events)).broken === null;
}
