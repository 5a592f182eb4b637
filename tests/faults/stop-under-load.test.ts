import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobReference } from '#core/values/job-form.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { steadyLoad } from '#tests/support/log/running-log.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { postForm } from '#tests/support/scenarios/job-requests.ts';

/** Requests that are under way when the signal comes: fewer than a process has connections to Postgres. */
const IN_FLIGHT = 4;
const TIMEOUT = 50_000;

const folder = tempFolder('stop');
const processes: Ute[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await killAll(processes);
  await database?.close();
  folder.remove();
});

/** Holds what every customer's request has to pass, until `release`. */
async function holdIntake() {
  const db = await database.pool.connect();
  await db.query('begin; lock table state.idempotency in access exclusive mode');
  return {
    async release() {
      await db.query('rollback');
      db.release();
    },
  };
}

async function held(): Promise<number> {
  const { rows } = await database.pool.query<{ held: number }>(
    `select count(*)::int as held from pg_locks
     where not granted and relation = 'state.idempotency'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]?.held ?? 0;
}

async function storedReferences(): Promise<string[]> {
  const { rows } = await database.pool.query<{ stream: string }>(
    `select stream from event_store.events where type = 'JobRequested'`,
  );
  return rows.map(({ stream }) => jobReference(stream.replace('job-', '')));
}

test(
  `stopped ${faultTimes} under load, it answers what it took, stores what it acknowledged, and ends well`,
  async () => {
    const acknowledged: string[] = [];
    let requests = 0;
    for (let round = 0; round < faultRounds; round += 1) {
      const environment = { DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' };
      const ute = await startUteProcess(environment);
      processes.push(ute);
      const tradie = await ute.signIn();
      const load = steadyLoad(50, [
        () => tradie.get('/api/jobs/count'),
        () => ute.client.get('/t/acme-plumbing'),
      ]);
      await expect.poll(() => load.sent.length, { timeout: TIMEOUT }).toBeGreaterThan(25);

      const intake = await holdIntake();
      let isStopping = false;
      /** None waits longer than a lock may take: a client that was refused comes again, until all wait at once. */
      const post = async () => {
        const fields = { title: `Round ${round}, request ${(requests += 1)}` };
        let answer = await postForm(ute.client, 'acme-plumbing', fields);
        while (answer.status === 503 && !isStopping)
          answer = await postForm(ute.client, 'acme-plumbing', fields);
        return answer;
      };
      const posts = Array.from({ length: IN_FLIGHT }, post);
      await expect.poll(held, { timeout: TIMEOUT, interval: 5 }).toBe(IN_FLIGHT);
      isStopping = true;
      ute.child.kill('SIGTERM');
      await expect.poll(() => ute.status('/api/health/live'), { timeout: TIMEOUT, interval: 5 }).toBe(0);
      await intake.release();
      for (const { status, headers } of await Promise.all(posts)) {
        // A machine so busy that the wait grew too long for them.
        if (status !== 503) expect(status).toBe(303);
        acknowledged.push(...(/ref=(\w+)/.exec(headers.get('location') ?? '')?.slice(1) ?? []));
      }
      expect(await ute.ended).toEqual({ code: 0, signal: null });
      const sent = await load.stop();
      expect(sent.filter(({ status }) => ![0, 200, 503].includes(status))).toEqual([]);
    }
    const stored = await storedReferences();
    expect(acknowledged.filter((reference) => !stored.includes(reference))).toEqual([]);
  },
  faultRounds * 100_000,
);
