import { afterAll, beforeAll, expect, test } from 'vitest';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

const now = new Date('2026-11-23T05:00:00.000Z');
const inSevenDays = '2026-11-30T05:00:00.000Z';

let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp({ now: () => now });
  acme = await api.signIn();
});
afterAll(() => api?.close());

let count = 0;
/** An accepted job of a customer with this email. */
async function aJob(email: string, owner = acme): Promise<string> {
  count += 1;
  const id = await requestedJob(api, owner, {
    email,
    phone: `04915701${String(56 + (count % 4))}`,
    title: `Job ${count}`,
  });
  await owner.put(`/api/jobs/${id}/accept`);
  await api.settle();
  return id;
}

const removal = (id: string) => `/api/jobs/${id}/erasure`;
const view = async (id: string) => (await acme.get(`/api/jobs/${id}`)).body.job;
const typesOf = async (id: string) =>
  (await api.deps.store.readStream(streamName('job', id))).map(({ type }) => type);

test('the tradie removes a customer with another job of theirs in seven days, and may take it back', async () => {
  const [id, other, stranger] = [
    await aJob('wilma@example.com'),
    await aJob('Wilma@example.com'),
    await aJob('moana@example.com'),
  ];
  expect((await acme.get(removal(id))).body.others).toMatchObject([{ id: other, status: 'To quote' }]);
  const { status, body } = await acme.post(removal(id), { others: [other] });
  expect([status, body.job.erasureDueAt, body.job.phone]).toEqual([200, inSevenDays, undefined]);
  await api.settle();
  for (const one of [id, other]) {
    const job = await view(one);
    expect(job).toMatchObject({ erasureDueAt: inSevenDays });
    expect([job.email, job.phone]).toEqual([undefined, undefined]);
  }
  expect(await view(stranger)).not.toHaveProperty('erasureDueAt');
  const { history } = (await acme.get(`/api/jobs/${id}/history`)).body;
  expect(history[0]).toMatchObject({ what: 'erasure-planned', who: { kind: 'you' } });

  expect((await acme.delete(removal(other))).body.job).not.toHaveProperty('erasureDueAt');
  await api.settle();
  for (const one of [id, other]) expect((await view(one)).email).toMatch(/wilma@example.com/i);
  // What was taken back can be asked for again.
  expect((await acme.post(removal(id), {})).body.job.erasureDueAt).toBe(inSevenDays);
});

test('asked for twice at once it is one removal', async () => {
  const id = await aJob('priya@example.com');
  const answers = await Promise.all([1, 2, 3].map(() => acme.post(removal(id), { others: [] })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await acme.post(removal(id), { others: [] })).status).toBe(200);
  expect((await typesOf(id)).filter((type) => type === 'CustomerErasurePlanned')).toHaveLength(1);
  expect((await acme.delete(removal(id))).status).toBe(200);
  expect((await acme.delete(removal(id))).status).toBe(200);
  expect((await typesOf(id)).filter((type) => type === 'CustomerErasureCancelled')).toHaveLength(1);
});

test('contact that is withheld is not compared: whose a request is cannot be tried out with a job of one’s own', async () => {
  const contact = { email: 'guessed@example.com', phone: '+64211234567' };
  const [waiting, turnedDown] = [
    await requestedJob(api, acme, contact),
    await requestedJob(api, acme, contact),
  ];
  await acme.put(`/api/jobs/${turnedDown}/reject`);
  const [id, going] = [await requestedJob(api, acme, contact), await requestedJob(api, acme, contact)];
  for (const one of [id, going]) await acme.put(`/api/jobs/${one}/accept`);
  await api.settle();
  await acme.post(removal(going), { others: [] });
  await api.settle();
  for (const one of [id, waiting, turnedDown, going])
    expect((await acme.get(removal(one))).body.others, one).toEqual([]);
  for (const other of [waiting, turnedDown, going])
    expect((await acme.post(removal(id), { others: [other] })).status).toBe(404);
  expect((await acme.post(removal(waiting), { others: [id] })).status).toBe(404);
  await acme.put(`/api/jobs/${waiting}/accept`);
  await api.settle();
  expect((await acme.get(removal(id))).body.others).toMatchObject([{ id: waiting }]);
});

test('a job of another customer, or of another business, does not come along', async () => {
  const rival = await api.signIn();
  const id = await aJob('sione@example.com');
  const foreign = await aJob('sione@example.com', rival);
  const others = [await aJob('someone.else@example.com'), foreign];
  expect((await acme.get(removal(id))).body.others).toEqual([]);
  for (const other of others) expect((await acme.post(removal(id), { others: [other] })).status).toBe(404);
  expect((await rival.post(removal(id), { others: [] })).status).toBe(404);
  expect(await typesOf(id)).not.toContain('CustomerErasurePlanned');
});

test('of more than ten jobs at once it takes the password', async () => {
  const id = await aJob('many@example.com');
  const others: string[] = [];
  while (others.length < 10) others.push(await aJob('many@example.com'));
  const shown: { id: string }[] = (await acme.get(removal(id))).body.others;
  expect(shown.map((other) => other.id)).toEqual(expect.arrayContaining(others));
  const without = await acme.post(removal(id), { others });
  expect([without.status, without.body.fields]).toEqual([
    422,
    { currentPassword: 'Type in your password to remove more than ten jobs at once' },
  ]);
  const wrong = await acme.post(removal(id), { others, currentPassword: 'not mine' });
  expect(wrong.body.fields).toEqual({ currentPassword: 'This is not your current password' });
  expect(await typesOf(id)).not.toContain('CustomerErasurePlanned');
  // Ten of them go without it.
  const [one = '', ...nine] = others;
  expect((await acme.post(removal(one), { others: nine })).status).toBe(200);
  await acme.delete(removal(one));
  await api.settle();
  expect((await acme.post(removal(id), { others, currentPassword: acme.password })).status).toBe(200);
  for (const other of others) expect(await typesOf(other)).toContain('CustomerErasurePlanned');
});
