import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '#tests/support/app/api-client.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type OwnPostgres, ownPostgres } from '#tests/support/app/postgres.ts';
import { comingAgain, killAll, startUteProcess, type Ute } from '#tests/support/processes/processes.ts';
import { faultRounds } from '#tests/support/run/fault-rounds.ts';
import { aTicket, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { type StandIn, startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';

/** Five times what is promised: two seconds for a refusal, ten to be well again. */
const REFUSED = 10_000;
const WELL = 50_000;

const folder = tempFolder('log-unavailable');
let postgres: OwnPostgres;
let server: StandIn;
let ute: Ute;
let tradie: Client;

beforeAll(async () => {
  [postgres, server] = await Promise.all([ownPostgres(), startStandIn()]);
  ute = await startUteProcess({
    ...{ ...postgres.environment, DATA_DIR: folder.path, LOG_LEVEL: 'silent' },
    EVENTSTORE_URL: `esdb://${server.host}:${server.port}?tls=false`,
  });
  tradie = await vi.waitFor(() => ute.signIn(), { timeout: WELL });
  // What is shown of the demo is compared later: first all of it has to be there.
  const isReady = async () => expect((await ute.client.get('/api/health/ready')).body.degraded).toBe(false);
  await vi.waitFor(isReady, { timeout: WELL });
}, 240_000);
afterAll(async () => {
  await killAll(ute ? [ute] : []);
  server?.kill();
  await postgres?.close();
  folder.remove();
});

const outages = {
  gone: { begin: () => server.kill(), end: () => server.restart() },
  silent: {
    begin: () => {
      for (const call of ['append', 'read'] as const) server.faults.always(call, { kind: 'silence' });
    },
    end: () => server.faults.calm(),
  },
};

async function jobsCalled(title: string): Promise<number> {
  const { body } = await tradie.get(`/api/jobs?search=${encodeURIComponent(title)}`);
  return body.jobs.length;
}

/** Answers how long it took, in milliseconds. */
async function isRefused(asking: Promise<{ status: number; headers: Headers }>): Promise<number> {
  const since = performance.now();
  const { status, headers } = await asking;
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('5');
  return performance.now() - since;
}

test.each(Object.keys(outages) as (keyof typeof outages)[])(
  'while the event store is %s, reads go on and say stale, writes are refused soon, and a request is stored once, later',
  async (kind) => {
    for (let round = 0; round < faultRounds; round += 1) {
      const title = `Tap ${kind} ${round} of this run`;
      const { jobs } = (await tradie.get('/api/jobs')).body;
      expect(await ute.status('/t/acme-plumbing')).toBe(200);
      const ticket = await aTicket(ute.client);
      const headers = { 'x-bot-check': ticket, 'idempotency-key': `outage-${kind}-${round}` };
      await outages[kind].begin();

      const send = () => sendForm(ute.client, 'acme-plumbing', { title }, headers);
      const accept = () => tradie.put(`/api/jobs/${jobs[0].id}/accept`);
      expect(Math.max(await isRefused(send()), await isRefused(accept()))).toBeLessThan(REFUSED);
      const isStale = async () =>
        (await tradie.get('/api/jobs/count')).headers.get('x-read-model') === 'stale';
      await expect.poll(isStale, { timeout: REFUSED }).toBe(true);
      expect((await tradie.get('/api/jobs')).body.jobs).toEqual(jobs);
      expect(await ute.status('/t/acme-plumbing')).toBe(200);
      expect(await ute.status('/api/health/live')).toBe(200);
      expect(await ute.status('/api/health/ready')).toBe(503);

      await outages[kind].end();
      await expect.poll(() => ute.status('/api/health/ready'), { timeout: WELL }).toBe(200);
      await expect.poll(isStale, { timeout: WELL }).toBe(false);
      const answers = [await comingAgain(send), await comingAgain(send)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[1]?.body).toEqual(answers[0]?.body);
      await expect.poll(() => jobsCalled(title), { timeout: WELL }).toBe(1);
    }
  },
  faultRounds * 100_000,
);
