import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFileId, recordFile } from '#api/businesses/stored-files.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { workersOf } from '#tests/support/processes/workers.ts';
import { everyFault } from '#tests/support/run/fault-rounds.ts';

/** Every step of a run at full rounds; the suite itself makes do with six of them. */
const script = new URL('./seal-worker.ts', import.meta.url).pathname;
/** A file of two pieces and more. */
const LENGTH = 140_000;

let api: TestApp;
let acme: SignedIn;
/** The process that sealed what a killed one left is the next to be killed. */
const sealing = workersOf<number, number>(script, () => [
  ...[api.databaseUrl, api.deps.config.keys.data.toString('hex'), api.storedFolder],
]);
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
});
afterAll(async () => {
  await sealing.close();
  await api?.close();
});

/** Two files that were sent before their jobs were. */
async function twoFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (let n = 0; n < 2; n += 1) {
    const [id, bytes] = [newFileId(), randomBytes(LENGTH)];
    const file = { id, businessId: acme.businessId, kind: 'media', name: 'plan.pdf' } as const;
    await recordFile(api.deps.db, { ...file, mime: 'application/pdf', bytes: LENGTH }, new Date());
    await api.deps.files.put(`media/${id}`, bytes, 'application/pdf');
    await api.deps.db.query('update state.files set job_id = $2, expires_at = null where id = $1', [
      id,
      `job-${id}`,
    ]);
    files.set(id, bytes);
  }
  return files;
}

async function expectReadable(files: ReadonlyMap<string, Buffer>) {
  api.deps.subjectKeys.drop(null);
  for (const [id, bytes] of files) {
    const stored = await api.deps.files.get(`media/${id}`);
    expect(stored && Buffer.from(stored).equals(bytes)).toBe(true);
  }
}

test('a process that is killed while it seals files loses none, wherever that was', async () => {
  await twoFiles();
  const steps = Number(await sealing.carryOut(0));
  expect(steps).toBeGreaterThan(10);
  const points = Array.from({ length: steps }, (_, n) => n + 1);
  for (const point of everyFault ? points : points.filter((n) => n % Math.ceil(steps / 6) === 1)) {
    const files = await twoFiles();
    expect(await sealing.carryOut(point)).toBe('SIGKILL');
    await expectReadable(files);
    expect(await sealing.carryOut(0)).toEqual(expect.any(Number));
    await expectReadable(files);
    const { rows } = await api.deps.db.query(
      `select id from state.files where sealed_for is distinct from 'customer-' || job_id`,
    );
    expect(rows).toEqual([]);
  }
}, 240_000);
