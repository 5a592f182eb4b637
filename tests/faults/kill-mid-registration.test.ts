import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchClient } from '#tests/support/app/api-client.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { type GatedProcesses, gatedProcesses } from '#tests/support/processes/gated.ts';
import { patiently, type Ute } from '#tests/support/processes/processes.ts';
import { answerSteps, aRegistrant, begin, choosePassword } from '#tests/support/scenarios/registrations.ts';

const folder = tempFolder('kill-mid-registration');
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

/** The code in the SMS that the process sent. */
async function codeFrom({ client }: Ute, phone: string): Promise<string> {
  const path = `/dev/outbox/messages.json?to=${encodeURIComponent(phone)}`;
  let code = '';
  const read = async () => {
    code = /^\d{6}/.exec((await client.get(path)).body.messages?.[0]?.text ?? '')?.[0] ?? '';
    return code;
  };
  await expect.poll(read, { timeout: 30_000 }).toMatch(/^\d{6}$/);
  return code;
}

async function typesOf(): Promise<string[]> {
  const { rows } = await database.pool.query<{ type: string }>(
    `select type from event_store.events where type in
       ('RegistrationCompleted', 'AccountOpened', 'BusinessRegistered', 'PublicAddressChanged', 'EnquiryFormOpened')
     order by pos offset 5`,
  );
  return rows.map(({ type }) => type);
}

/** All that a finished registration opens, in order. */
const whole = [
  ...[
    'RegistrationCompleted',
    'AccountOpened',
    'BusinessRegistered',
    'PublicAddressChanged',
    'EnquiryFormOpened',
  ],
];

test.each(['RegistrationCompleted', 'BusinessRegistered'])(
  'killed once %s is stored, the next process opens the rest, and no request is needed',
  async (streamEvent) => {
    const before = await typesOf();
    const { ute, gate } = await processes.running();
    const who = aRegistrant();
    const client = await begin({ as: (headers) => patiently(fetchClient(ute.url, headers)) }, 'plus');
    await answerSteps(client, who);
    await client.post('/api/registration/sms/send');
    const code = await codeFrom(ute, who.phone);
    expect((await client.post('/api/registration/sms/verify', { code })).status).toBe(200);
    expect((await client.put('/api/registration/tradies', { step: 5 })).status).toBe(200);
    expect((await choosePassword(client, who)).status).toBe(200);

    gate.loseAnswersAfter(streamEvent);
    const answer = client.post('/api/registration').catch(() => null);
    await expect
      .poll(async () => (await typesOf()).slice(before.length), { timeout: 30_000, interval: 5 })
      .toContain(streamEvent);
    ute.child.kill('SIGKILL');
    expect((await answer)?.status).not.toBe(200);
    await ute.ended;

    const next = await processes.start();
    const { email, password } = who;
    const login = () => next.ute.client.post('/api/authenticate/login', { email, password });
    await expect.poll(async () => (await login()).status, { timeout: 60_000 }).toBe(200);
    // The account signs in as soon as it is open; what belongs to it may follow a moment later.
    await expect.poll(async () => (await typesOf()).slice(before.length), { timeout: 30_000 }).toEqual(whole);
    processes.tookOver(next);
  },
  120_000,
);
