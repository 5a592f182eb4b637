import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/database.ts';
import { killAll, startUteProcess, type Ute } from '#tests/support/processes.ts';
import { type TcpGate, tcpGate } from '#tests/support/tcp-gate.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

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

/** How often the database has been asked for a session, as far as its connections remember. */
async function sessionsAsked(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and query like 'select business_id, last_seen_at from state.sessions%'`,
  );
  return rows[0]?.n ?? 0;
}

test('asked again while it still waits for what is under way, it ends at once', async () => {
  const tradie = await ute.signIn();
  gate.loseAnswersAfter('find-session');
  const waiting = tradie.get('/api/jobs/count').catch(() => null);
  await expect.poll(sessionsAsked, { timeout: 30_000, interval: 5 }).toBe(1);
  const asked = async () => {
    ute.child.kill('SIGTERM');
    return Promise.race([ute.ended, Promise.resolve(null)]);
  };
  await expect.poll(asked, { timeout: 30_000, interval: 50 }).toEqual({ code: 1, signal: null });
  await waiting;
});
