import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterOf } from '#api/runtime/postgres/cluster.ts';
import { findClusterHome, findPostgresBinaries } from '#api/runtime/postgres/cluster-home.ts';
import { isRunning, readPostmaster } from '#api/runtime/postgres/embedded-postgres.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { killAll, patiently, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { postForm } from '#tests/support/scenarios/job-requests.ts';

/** Five times the ten seconds that are promised. */
const WELL = 50_000;

const folder = tempFolder('own-database');
let ute: Ute;

beforeAll(async () => {
  ute = await startUteProcess({ DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
}, 180_000);
afterAll(async () => {
  ute?.child.kill('SIGTERM');
  await ute?.ended;
  await killAll(ute ? [ute] : []);
  folder.remove();
});

function postmaster() {
  return readPostmaster(clusterOf(findClusterHome(folder.path, findPostgresBinaries())));
}

test(
  `its own Postgres, killed ${faultTimes}, is started again, and stops with it`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const killed = await postmaster();
      process.kill(killed?.pid ?? 0, 'SIGKILL');
      await expect.poll(async () => (await postmaster())?.pid, { timeout: WELL }).not.toBe(killed?.pid);
      await expect.poll(() => ute.status('/api/health/ready'), { timeout: WELL }).toBe(200);
      expect((await postForm(patiently(ute.client), 'acme-plumbing')).status).toBe(303);
    }
    const last = await postmaster();
    ute.child.kill('SIGTERM');
    expect(await ute.ended).toEqual({ code: 0, signal: null });
    expect(last && isRunning(last, folder.path)).toBe(false);
  },
  faultRounds * 100_000,
);
