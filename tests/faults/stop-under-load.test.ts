import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobReference } from '#core/values/job-reference.ts';
import { type TestDatabase, testDatabase } from '#tests/support/database.ts';
import { postForm } from '#tests/support/form-posts.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes.ts';
import { steadyLoad } from '#tests/support/steady-load.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
/** A password takes long enough to hash that these are under way when the signal comes. */
const LOGINS = 20;

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

test(
  `stopped ${ROUNDS} times under load, it answers what it took, stores what it acknowledged, and ends well`,
  async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ute = await startUteProcess({
        ...{ DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' },
      });
      processes.push(ute);
      const tradie = await ute.signIn();
      const load = steadyLoad(50, [
        () => postForm(ute.client, 'acme-plumbing'),
        () => tradie.get('/api/jobs/count'),
      ]);
      await expect.poll(() => load.sent.length, { timeout: 30_000 }).toBeGreaterThan(25);
      const logins = Array.from({ length: LOGINS }, () =>
        ute.client.post('/api/authenticate/login', ute.demo).then(({ status }) => status),
      );
      await Promise.race(logins);
      const signalled = performance.now();
      ute.child.kill('SIGTERM');

      expect(await Promise.all(logins)).toEqual(Array.from({ length: LOGINS }, () => 200));
      expect(await ute.ended).toEqual({ code: 0, signal: null });
      const sent = await load.stop();
      const answered = sent.filter(({ status }) => status !== 0);
      expect(answered.filter(({ status }) => status !== 200 && status !== 303 && status !== 503)).toEqual([]);
      const taken = sent.filter(({ at }) => at < signalled - 100);
      expect(taken.filter(({ status }) => status === 0)).toEqual([]);
      acknowledged.push(...answered.flatMap(({ reference }) => reference ?? []));
    }
    const { rows } = await database.pool.query<{ stream: string }>(
      `select stream from event_store.events where type = 'JobRequested'`,
    );
    const stored = rows.map(({ stream }) => jobReference(stream.replace('job-', '')));
    expect(acknowledged.filter((reference) => !stored.includes(reference))).toEqual([]);
  },
  ROUNDS * 100_000,
);
