import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyChain } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { type RecordedEvent, START } from '#core/event-store/port.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { cause, notes } from '#tests/event-store/samples.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';

const CLIENTS = 20;
/** How many acknowledged appends a round lives to see. */
const ACKNOWLEDGED = 400;
const worker = fileURLToPath(new URL('./append-worker.ts', import.meta.url));

type Attempt = Readonly<{ stream: StreamName; n: number }>;

let database: TestDatabase;
const dataKey = randomBytes(32);
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

/** Starts a process of appending clients, kills it in the middle, and answers what it had printed by then. */
async function appendAndDie(): Promise<{ tried: Attempt[]; acknowledged: Attempt[] }> {
  const child = Bun.spawn(
    [process.execPath, worker, database.url, dataKey.toString('hex'), String(CLIENTS)],
    { stdout: 'pipe', stderr: 'inherit' },
  );
  const decoder = new TextDecoder();
  let said = '';
  for await (const bytes of child.stdout) {
    said += decoder.decode(bytes, { stream: true });
    if (said.split('\nack ').length > ACKNOWLEDGED) child.kill('SIGKILL');
  }
  await child.exited;
  const lines = said
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
  const spoken = (word: string) =>
    lines
      .filter(([first]) => first === word)
      .map(([, stream, n]) => ({ stream: stream as StreamName, n: Number(n) }));
  return { tried: spoken('try'), acknowledged: spoken('ack') };
}

const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ stream, n }) => notes(stream, n).id);

async function wholeLog(): Promise<RecordedEvent[]> {
  const store = createEmbeddedEventStore({ pool: database.pool, connectionString: database.url, dataKey });
  try {
    return await store.readAll(START, 1_000_000);
  } finally {
    await store.close();
  }
}

/** As clients do that got no answer: the same ids at the same place. */
async function retry(attempts: readonly Attempt[]): Promise<void> {
  const store = createEmbeddedEventStore({ pool: database.pool, connectionString: database.url, dataKey });
  try {
    for (const { stream, n } of attempts) {
      const expected = n === 0 ? 'no-stream' : n - 1;
      expect((await store.append(stream, expected, [notes(stream, n)], cause)).revision).toBe(n);
    }
  } finally {
    await store.close();
  }
}

test(`killed ${faultTimes} in the middle of ${CLIENTS} clients' appends, the log keeps what it acknowledged, once`, async () => {
  const wanted: string[] = [];
  for (let round = 0; round < faultRounds; round += 1) {
    const { tried, acknowledged } = await appendAndDie();
    expect(acknowledged.length).toBeGreaterThanOrEqual(ACKNOWLEDGED);
    const stored = new Set((await wholeLog()).map(({ id }) => id));
    expect(idsOf(acknowledged).filter((id) => !stored.has(id))).toEqual([]);

    const answered = new Set(idsOf(acknowledged));
    const unanswered = tried.filter(({ stream, n }) => !answered.has(notes(stream, n).id));
    expect(unanswered.length).toBeGreaterThan(0);
    await retry(unanswered);
    wanted.push(...idsOf(tried));
  }

  const log = await wholeLog();
  expect(log.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
  expect(log.filter(({ unreadable }) => unreadable)).toEqual([]);
  expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => String(index + 1)));

  const raw = openEmbeddedLog({ pool: database.pool, connectionString: database.url });
  expect((await verifyChain(await raw.readAll(START, 1_000_000))).broken).toBeNull();
  await raw.close();
});
