import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { killAll, patiently, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { type MailServer, mailServer } from '#tests/support/servers/mail-server.ts';
import { type TcpGate, tcpGate } from '#tests/support/servers/outages.ts';

const TIMEOUT = 50_000;

const folder = tempFolder('mail-unavailable');
const processes: Ute[] = [];
let database: TestDatabase;
let server: MailServer;
let gate: TcpGate;

beforeAll(async () => {
  [database, server] = await Promise.all([testDatabase(), mailServer()]);
  gate = await tcpGate(server.url);
});
afterEach(() => killAll(processes.splice(0)));
afterAll(async () => {
  await gate?.close();
  await server?.close();
  await database?.close();
  folder.remove();
});

async function start(): Promise<Ute> {
  const mail = { SMTP_URL: gate.url, MAIL_FROM: 'Ute <hello@ute.example>' };
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder.path, LOG_LEVEL: 'silent', ...mail };
  const ute = await startUteProcess(environment);
  processes.push(ute);
  return ute;
}

const deliveryStatuses = async () => {
  const { rows } = await database.pool.query(
    `select delivery_status as "deliveryStatus", failure from state.outbox where kind = 'password-reset' order by queued_at`,
  );
  return rows;
};

test('while the mail server is unavailable no request waits for it, and once it is back the mail arrives, after a restart too', async () => {
  gate.shut();
  const ute = await start();
  const email = ute.demo?.email;
  const since = performance.now();
  const asked = await patiently(ute.client).post('/api/authenticate/forgot-password', { email });
  expect(asked.status).toBe(200);
  expect(performance.now() - since).toBeLessThan(TIMEOUT / 5);
  const failed = [{ deliveryStatus: 'waiting', failure: expect.stringMatching(/^smtp: failed/) }];
  await expect.poll(deliveryStatuses, { timeout: TIMEOUT }).toEqual(failed);
  await expect.poll(() => ute.status('/api/health/ready'), { timeout: TIMEOUT }).toBe(200);
  ute.child.kill('SIGKILL');
  await ute.ended;

  gate.open();
  await start();
  await expect
    .poll(deliveryStatuses, { timeout: TIMEOUT })
    .toEqual([{ deliveryStatus: 'sent', failure: null }]);
  // From Monday to Wednesday the demo's owner gets the weekly record besides, once a checkpoint is signed.
  const others = server.received.filter(({ parsed }) => parsed.subject !== 'Your weekly record');
  expect(others).toMatchObject([{ from: 'hello@ute.example', to: [email] }]);
}, 150_000);
