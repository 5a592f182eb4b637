import { expect, test } from 'vitest';
import { type EventStore, type RecordedEvent, START } from '#core/event-store/port.ts';
import type { LogLeaf, StoredLog } from '#core/event-store/raw-log.ts';
import { newJobStream } from '#tests/event-store/samples.ts';
import { expectOrdered } from './order.ts';
import type { Seed } from './subject.ts';

/** Streams and pages of the whole log. */
export function reading(store: () => EventStore & StoredLog, seed: Seed): void {
  test('a missing stream reads as empty', async () => {
    expect(await store().readStream(newJobStream())).toEqual([]);
  });

  test('a stream reads from a revision on, that one included', async () => {
    const stream = newJobStream();
    await seed(stream, 5);
    expect((await store().readStream(stream, 3)).map(({ revision }) => revision)).toEqual([3, 4]);
    expect(await store().readStream(stream, 5)).toEqual([]);
  });

  test('several streams read at once as they do alone; one that is not there is left out', async () => {
    const streams = [newJobStream(), newJobStream(), newJobStream()] as const;
    for (const [n, stream] of streams.entries()) await seed(stream, n + 1);
    const read = await store().readStreams([...streams, newJobStream()]);
    expect(new Set(read.keys())).toEqual(new Set(streams));
    for (const stream of streams) expect(read.get(stream)).toEqual(await store().readStream(stream));
    expect((await store().readStreams([])).size).toBe(0);
  });

  test('pages of the whole log join without loss or repeat, in order', async () => {
    const before = await store().head();
    const stream = newJobStream();
    await seed(stream, 23);
    const whole = await store().readAll(before, 1000);
    const paged: RecordedEvent[] = [];
    for (let after = before; ; after = paged.at(-1)?.position ?? after) {
      const page = await store().readAll(after, 5);
      expect(page.length).toBeLessThanOrEqual(5);
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(whole);
    expect(whole.filter((event) => event.stream === stream)).toHaveLength(23);
    expectOrdered(whole);
    expect(whole.at(-1)?.position).toBe(await store().head());
  });

  test('the leaves of the tree are all events in the order of the log, each with its hash', async () => {
    const before = await store().head();
    await seed(newJobStream(), 12);
    await seed(newJobStream(), 3);
    const events = await store().readAll(before, 1000);
    const leaves: LogLeaf[] = [];
    for (let after = before; ; after = leaves.at(-1)?.position ?? after) {
      const page = await store().readLeaves(after, 4);
      if (page.length === 0) break;
      leaves.push(...page);
    }
    for (const { mac } of leaves) expect(mac).toMatch(/^[\w-]{22}$/);
    expect(leaves.map(({ hash, mac: _, ...leaf }) => ({ ...leaf, hash: hash.toString('hex') }))).toEqual(
      events.map(({ position, metadata: { at, hash } }) => ({ position, at, hash })),
    );
  });

  test('runs of leaves are what is read after each of their positions', async () => {
    const before = await store().head();
    await seed(newJobStream(), 9);
    const leaves = await store().readLeaves(before, 1000);
    const after = [leaves[4]?.position ?? START, before, await store().head(), leaves[6]?.position ?? START];
    const runs = await store().readLeafRuns(after, 3);
    const parts = [leaves.slice(5, 8), leaves.slice(0, 3), [], leaves.slice(7)];
    expect(runs.map(({ positions }) => positions)).toEqual(
      parts.map((part) => part.map(({ position }) => position)),
    );
    expect(runs.map(({ hashes }) => hashes.toString('hex'))).toEqual(
      parts.map((part) => part.map(({ hash }) => hash.toString('hex')).join('')),
    );
  });

  test('several streams are read as they are stored, each in its order', async () => {
    const streams = [newJobStream(), newJobStream()];
    for (const stream of streams) await seed(stream, 3);
    const read = await store().readStoredStreams([...streams, newJobStream()]);
    for (const stream of streams)
      expect(read.filter((event) => event.stream === stream)).toEqual(await store().readStored(stream, 0));
    expect(read).toHaveLength(6);
  });

  test('positions compare as numbers where they grow by a digit', async () => {
    const stream = newJobStream();
    await seed(stream, 120);
    const all = await store().readAll(START, 5000);
    expectOrdered(all);
    const lengths = all.map(({ position }) => position.length);
    expect(Math.max(...lengths)).toBeGreaterThan(Math.min(...lengths));
    for (const index of lengths.keys()) {
      if (index === 0 || lengths[index] === lengths[index - 1]) continue;
      const [last] = all.slice(index - 1, index);
      expect((await store().readAll(last?.position ?? START, 1))[0]?.position).toBe(all[index]?.position);
    }
  });
}
