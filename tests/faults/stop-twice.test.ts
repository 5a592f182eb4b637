import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { aTicket, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { type TcpGate, tcpGate } from '#tests/support/servers/outages.ts';

const folder = tempFolder('stop-twice');
let database: TestDatabase;
let gate: TcpGate;
let ute: Ute;

beforeAll(async () => {
  database = await testDatabase();
  gate = await tcpGate(database.url);
  ute = await startUteProcess({ DATABASE_URL: gate.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  await killAll(ute ? [ute] : []);
  await gate?.close();
  await database?.close();
  folder.remove();
});

async function requestsStored(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from event_store.events where type = 'JobRequested'`,
  );
  return rows[0]?.n ?? 0;
}

test('asked again while it still waits for what is under way, it ends at once', async () => {
  const before = await requestsStored();
  const headers = { 'x-bot-check': await aTicket(ute.client) };
  // Of all that waits for Postgres, the log waits longest: ten seconds, and a second request to stop counts after one.
  gate.loseAnswersAfter('JobRequested');
  const waiting = sendForm(ute.client, 'acme-plumbing', {}, headers).catch(() => null);
  await expect.poll(requestsStored, { timeout: 30_000, interval: 5 }).toBe(before + 1);
  const asked = async () => {
    ute.child.kill('SIGTERM');
    return Promise.race([ute.ended, Promise.resolve(null)]);
  };
  await expect.poll(asked, { timeout: 30_000, interval: 50 }).toEqual({ code: 1, signal: null });
  expect(await waiting).toBeNull();
});
