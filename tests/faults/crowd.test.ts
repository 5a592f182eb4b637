import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobReference } from '#core/values/job-form.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { postForm } from '#tests/support/scenarios/job-requests.ts';

const POSTS = 1_000;
/** In the last ones few are left, and a machine that stalls may ask them all to come again. */
const MOST_WAVES = 100;

const folder = tempFolder('crowd');
let database: TestDatabase;
let ute: Ute;

beforeAll(async () => {
  database = await testDatabase();
  ute = await startUteProcess({ DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await killAll(ute ? [ute] : []);
  await database?.close();
  folder.remove();
});

async function storedReferences(): Promise<string[]> {
  const { rows } = await database.pool.query<{ stream: string }>(
    `select stream from event_store.events where type = 'JobRequested'`,
  );
  return rows.map(({ stream }) => jobReference(stream.replace('job-', '')));
}

type Outcome = Readonly<{ status: number; reference: string; ms: number }>;

async function post(n: number): Promise<Outcome> {
  const since = performance.now();
  const answer = await postForm(ute.client, 'acme-plumbing', { title: `One of a crowd ${n}` });
  const reference = /ref=(\w+)/.exec(answer.headers.get('location') ?? '')?.[1] ?? '';
  return { status: answer.status, reference, ms: performance.now() - since };
}

/** All of them at once. */
const postAll = (titles: readonly number[]) => Promise.all(titles.map(post));

test(`${POSTS} customers at once are each served or asked to come again, and in the end each has one job`, async () => {
  const before = await storedReferences();
  const served: Outcome[] = [];
  let waiting = Array.from({ length: POSTS }, (_, n) => n);
  for (let wave = 1; waiting.length > 0; wave += 1) {
    const outcomes = await postAll(waiting);
    expect(outcomes.filter(({ status }) => ![303, 429, 503].includes(status))).toEqual([]);
    const taken = outcomes.filter(({ status }) => status === 303);
    expect(wave).toBeLessThan(MOST_WAVES);
    served.push(...taken);
    const times = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
    console.info(`wave ${wave}: ${taken.length} of ${waiting.length} served, p99 ${p99} ms`);

    const stored = await storedReferences();
    expect(served.filter(({ reference }) => !stored.includes(reference))).toEqual([]);
    waiting = waiting.filter((_, index) => outcomes[index]?.status !== 303);
  }
  const references = served.map(({ reference }) => reference);
  expect((await storedReferences()).toSorted()).toEqual([...before, ...references].toSorted());
  expect(await ute.status('/api/health/live')).toBe(200);
}, 120_000);
