import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobReference } from '#core/values/job-form.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type GatedProcesses, gatedProcesses } from '#tests/support/processes/gated.ts';
import { patiently, type Ute } from '#tests/support/processes/processes.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { aTicket, postForm, sendForm } from '#tests/support/scenarios/job-requests.ts';

const CLIENTS = 20;
/** How many acknowledged requests a round lives to see. */
const ACKNOWLEDGED = 60;

const folder = tempFolder('kill-before-answer');
let database: TestDatabase;
let processes: GatedProcesses;

beforeAll(async () => {
  database = await testDatabase();
  processes = gatedProcesses(database.url, folder.path);
});
afterAll(async () => {
  await processes?.close();
  await database?.close();
  folder.remove();
});

/** References of the jobs that customers asked for, in the order of the log. */
async function storedReferences(): Promise<string[]> {
  const { rows } = await database.pool.query<{ stream: string }>(
    `select stream from event_store.events where type = 'JobRequested' order by pos`,
  );
  return rows.map(({ stream }) => jobReference(stream.replace('job-', '')));
}

test(
  `killed ${faultTimes} after a request is stored and before it is answered: sent again it is that one job`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const { ute, gate } = await processes.running();
      const headers = {
        'x-bot-check': await aTicket(patiently(ute.client)),
        'idempotency-key': crypto.randomUUID(),
      };
      const title = `Killed ${round}`;
      const before = await storedReferences();
      gate.loseAnswersAfter('JobRequested');
      const answer = sendForm(ute.client, 'acme-plumbing', { title }, headers).catch(() => null);
      await expect.poll(storedReferences, { timeout: 30_000, interval: 5 }).toHaveLength(before.length + 1);
      ute.child.kill('SIGKILL');
      expect((await answer)?.status).not.toBe(200);
      await ute.ended;

      const next = await processes.start();
      const again = await sendForm(patiently(next.ute.client), 'acme-plumbing', { title }, headers);
      expect(again.status).toBe(200);
      expect(await storedReferences()).toEqual([...before, again.body.reference]);
      processes.tookOver(next);
    }
  },
  faultRounds * 100_000,
);

/** The addresses that businesses have for good, by their keys. */
async function addressesKept(): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    `select encode(key, 'hex') as key from state.reservations where kind = 'slug' and status = 'kept' order by key`,
  );
  return rows.map(({ key }) => key);
}

async function addressChanges(): Promise<number> {
  const { rowCount } = await database.pool.query(
    `select from event_store.events where type = 'PublicAddressChanged'`,
  );
  return rowCount ?? 0;
}

test(
  `killed ${faultTimes} after another address is stored and before it is answered: the business has that one at once`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const { ute, gate } = await processes.running();
      const owner = await ute.signIn();
      const [kept, changes] = [await addressesKept(), await addressChanges()];
      // To and fro: a business may leave only so many.
      const slug = round % 2 === 0 ? 'moved-plumbing' : 'acme-plumbing';
      gate.loseAnswersAfter('PublicAddressChanged');
      const answer = owner.put('/api/settings/branding', { slug }).catch(() => null);
      await expect.poll(addressChanges, { timeout: 30_000, interval: 5 }).toBe(changes + 1);
      ute.child.kill('SIGKILL');
      expect((await answer)?.status).not.toBe(200);
      await ute.ended;

      const next = await processes.start();
      const moved = async () => {
        const now = await addressesKept();
        return { all: now.length, others: now.filter((key) => !kept.includes(key)).length };
      };
      await expect.poll(moved, { timeout: 30_000 }).toEqual({ all: kept.length, others: 1 });
      processes.tookOver(next);
    }
  },
  faultRounds * 100_000,
);

type Sent = Readonly<{ title: string; reference: string | null }>;

/** A customer's post and what became of it; no reference when nothing came back. */
async function post({ client }: Pick<Ute, 'client'>, title: string): Promise<Sent> {
  const answer = await postForm(client, 'acme-plumbing', { title }).catch(() => null);
  const reference = /ref=(\w+)/.exec(answer?.headers.get('location') ?? '')?.[1] ?? null;
  return { title, reference };
}

test(
  `killed ${faultTimes} under ${CLIENTS} customers, every acknowledged request is there, and none twice once sent again`,
  async () => {
    const before = await storedReferences();
    const references: (string | null)[] = [];
    for (let round = 0; round < faultRounds; round += 1) {
      const { ute } = await processes.running();
      const sent: Sent[] = [];
      const customer = async (who: number) => {
        for (let n = 0; ute.child.exitCode === null && ute.child.signalCode === null; n += 1) {
          sent.push(await post(ute, `Round ${round}, customer ${who}, job ${n}`));
          const acknowledged = sent.filter(({ reference }) => reference !== null);
          if (acknowledged.length >= ACKNOWLEDGED) ute.child.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, who) => customer(who)));

      const stored = await storedReferences();
      const acknowledged = sent.flatMap(({ reference }) => reference ?? []);
      expect(acknowledged.filter((reference) => !stored.includes(reference))).toEqual([]);
      const unanswered = sent.filter(({ reference }) => reference === null);
      expect(unanswered.length).toBeGreaterThan(0);
      const next = await processes.start();
      const client = patiently(next.ute.client);
      const again = await Promise.all(unanswered.map(({ title }) => post({ client }, title)));
      expect(again.filter(({ reference }) => reference === null)).toEqual([]);
      references.push(...acknowledged, ...again.map(({ reference }) => reference));
      processes.tookOver(next);
    }
    expect((await storedReferences()).toSorted()).toEqual([...before, ...references].toSorted());
  },
  faultRounds * 100_000,
);

test('stopped twice while it still waits for what is under way, it ends at once', async () => {
  const { ute, gate } = await processes.running();
  const before = await storedReferences();
  const headers = { 'x-bot-check': await aTicket(ute.client) };
  // Of all that waits for Postgres, the log waits longest: ten seconds, and a second request to stop counts after one.
  gate.loseAnswersAfter('JobRequested');
  const waiting = sendForm(ute.client, 'acme-plumbing', {}, headers).catch(() => null);
  await expect.poll(storedReferences, { timeout: 30_000, interval: 5 }).toHaveLength(before.length + 1);
  const asked = async () => {
    ute.child.kill('SIGTERM');
    return Promise.race([ute.ended, Promise.resolve(null)]);
  };
  await expect.poll(asked, { timeout: 30_000, interval: 50 }).toEqual({ code: 1, signal: null });
  expect(await waiting).toBeNull();
});
