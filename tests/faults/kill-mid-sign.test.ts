import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportArchive } from '#api/privacy/export/contents.ts';
import { MOST_RECORDS } from '#api/proof/statements.ts';
import { checkRecord } from '#core/proof/check.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { aJob } from '#tests/support/scenarios/events.ts';
import { bytesOf, unzip } from '#tests/support/scenarios/files.ts';

/** Of three batches of records. */
const JOBS = 2 * MOST_RECORDS + 10;

const folder = tempFolder('kill-mid-sign');
let api: TestApp;
let owner: SignedIn;
/** Those that sign, and that live. */
const signing: ChildProcess[] = [];
beforeAll(async () => {
  api = await testApp();
  owner = await api.signIn();
  for (let n = 0; n < JOBS; n += 1) {
    const job = aJob(randomUUID(), owner as never);
    const events = [
      job.requested({ requestedAt: new Date().toISOString() }),
      job.accepted(),
      job.moved('Paid'),
    ];
    await api.deps.store.append(
      events[0]?.stream ?? 'job-none',
      'no-stream',
      events.map(({ event }) => ({ id: randomUUID(), event })),
      { at: new Date().toISOString(), actor: 'import', causation: 'test', correlation: 'test' },
    );
  }
  await api.settle();
}, 60_000);
afterAll(async () => {
  for (const one of signing) one.kill('SIGKILL');
  await api?.close();
  folder.remove();
});

/** Lets there be two processes that sign, of which one leads: the first. */
async function startSigning(): Promise<void> {
  const { keys, proof } = api.deps.config;
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'test', DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path },
    DATA_KEY: keys.data.toString('base64'),
    CLAIM_KEY: keys.claim.toString('base64'),
    LOG_KEY: proof?.key.toString('base64'),
  };
  const script = join(import.meta.dirname, '../support/processes/proof-process.ts');
  while (signing.length < 2) {
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    signing.push(child);
    await once(child.stdout, 'data');
  }
}

/** Exports, and kills the first `deaths` of those who sign as the first record is read: the last batch is not asked for by then. */
async function exported(deaths: number) {
  const whose = {
    ...owner,
    timeZone: 'Australia/Melbourne',
    region: 'au' as const,
    from: await api.deps.store.head(),
  };
  const pieces: Uint8Array[] = [];
  let left = deaths;
  for await (const piece of exportArchive(api.deps, whose)) {
    pieces.push(piece);
    if (!Buffer.from(piece).includes('records/')) continue;
    const doomed = signing.splice(0, left);
    left = 0;
    const ended = doomed.map((one) => once(one, 'exit'));
    for (const one of doomed) one.kill('SIGKILL');
    await Promise.all(ended);
  }
  const entries = await unzip(bytesOf(...pieces));
  const { counts } = JSON.parse(String(entries.get('manifest.json')));
  const records = [...entries]
    .filter(([name]) => name.startsWith('records/'))
    .map(([, text]) => String(text));
  for (const text of records) expect(checkRecord(text).outcome).toBe('fits-itself');
  expect([counts.jobs, counts.records, counts.records + counts.missingRecords]).toEqual([
    ...[JOBS, records.length, JOBS],
  ]);
  return { ...counts, readMe: String(entries.get('README.html')) };
}

test('an export goes on with the next process that signs, and has every record', async () => {
  await startSigning();
  const { missingRecords } = await exported(1);
  expect(missingRecords).toBe(0);
}, 120_000);

test('where none is left the archive is whole, and says how many records it lacks', async () => {
  await startSigning();
  const { records, missingRecords, readMe } = await exported(2);
  expect(records).toBeGreaterThanOrEqual(MOST_RECORDS);
  expect(missingRecords).toBeGreaterThanOrEqual(10);
  expect(readMe).toContain(
    `Signed records of ${missingRecords} finished jobs: they could not be made just now.`,
  );
}, 120_000);
